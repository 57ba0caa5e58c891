// expect: deadlock
import java.util.concurrent.locks.*;

/** Two transfers in opposite directions: the locks are fields of the accounts. */
class LockFields {
    static class Account {
        private final Lock lock = new ReentrantLock();
        final String owner;
        int balance = 100;
        Account(String owner) { this.owner = owner; }
    }

    static void transfer(Account from, Account to, int amount) {
        from.lock.lock();
        try {
            to.lock.lock();
            try {
                from.balance -= amount;
                to.balance += amount;
            } finally {
                to.lock.unlock();
            }
        } finally {
            from.lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Account ann = new Account("Ann");
        Account bob = new Account("Bob");
        Thread one = new Thread(() -> transfer(ann, bob, 10));
        Thread two = new Thread(() -> transfer(bob, ann, 20));
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
