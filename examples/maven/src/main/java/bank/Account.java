package bank;

public class Account {
    private int balance;

    public Account(int balance) {
        this.balance = balance;
    }

    public synchronized boolean withdraw(int amount) {
        if (balance < amount) {
            return false;
        }
        balance -= amount;
        return true;
    }

    public void deposit(int amount) {
        balance += amount;
    }

    public synchronized int balance() {
        return balance;
    }
}
