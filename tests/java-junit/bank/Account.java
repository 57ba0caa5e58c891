package bank;

class Account {
    private int balance;

    Account(int balance) {
        this.balance = balance;
    }

    void deposit(int amount) {
        balance += amount;
    }

    synchronized void depositSafely(int amount) {
        if (amount < 0) {
            throw new IllegalArgumentException();
        }
        balance += amount;
    }

    synchronized int balance() {
        return balance;
    }
}
