package bank;

public class Account {
    private int balance;

    public Account(int balance) {
        this.balance = balance;
    }

    public void deposit(int amount) {
        balance += amount;
    }

    public synchronized void depositSafely(int amount) {
        balance += amount;
    }

    public synchronized int balance() {
        return balance;
    }

    /** Deposits twice at the same time. */
    public void depositTwice(int amount) throws InterruptedException {
        Thread other = new Thread(() -> deposit(amount));
        other.start();
        deposit(amount);
        other.join();
    }

    /** The same, as it should be. */
    public void depositTwiceSafely(int amount) throws InterruptedException {
        Thread other = new Thread(() -> depositSafely(amount));
        other.start();
        depositSafely(amount);
        other.join();
    }
}
