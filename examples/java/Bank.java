/**
 * Two transfers at the same time, from one account to the other and back. Each takes the lock of
 * the account that it takes money from, and then the lock of the other one.
 */
public class Bank {
    static class Account {
        final String owner;
        private int balance;

        Account(String owner, int balance) {
            this.owner = owner;
            this.balance = balance;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        synchronized (from) {
            synchronized (to) {
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account ann = new Account("Ann", 100);
        Account bob = new Account("Bob", 100);
        Thread there = new Thread(() -> transfer(ann, bob, 30), "there");
        Thread back = new Thread(() -> transfer(bob, ann, 20), "back");
        there.start();
        back.start();
        there.join();
        back.join();
        assert ann.balance + bob.balance == 200;
    }
}
