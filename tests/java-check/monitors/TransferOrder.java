// expect: deadlock
// Two transfers between the same accounts in opposite directions.
public class TransferOrder {
    static class Account {
        int balance = 10;
    }

    static void transfer(Account from, Account to, int amount) {
        synchronized (from) {
            synchronized (to) { // <- deadlock
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account one = new Account(), two = new Account();
        Thread other = new Thread(() -> transfer(two, one, 3));
        other.start();
        transfer(one, two, 5);
        other.join(); // <- deadlock
        assert one.balance + two.balance == 20;
    }
}
