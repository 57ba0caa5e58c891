// any: holds
public class Transfers {
    static class Account {
        int balance;

        Account(int balance) {
            this.balance = balance;
        }
    }

    static final Account left = new Account(10);
    static final Account right = new Account(10);

    static void move(Account from, Account to, int amount) {
        synchronized (left) {
            synchronized (right) {
                if (from.balance < amount) return;
                from.balance -= amount;
                to.balance += amount;
                assert left.balance + right.balance == 20;
                assert from.balance >= 0;
            }
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) move(left, right, 3);
            }, "there").start();
            new Thread(() -> {
                while (true) move(right, left, 3);
            }, "back").start();
        }
    }
}
