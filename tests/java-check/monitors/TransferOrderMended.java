// expect: holds
// Two transfers in opposite directions, with locks in the order of numbers.
public class TransferOrderMended {
    static class Account {
        final int number;
        int balance = 10;

        Account(int number) {
            this.number = number;
        }
    }

    static void transfer(Account from, Account to, int amount) {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Account one = new Account(1), two = new Account(2);
        Thread other = new Thread(() -> transfer(two, one, 3));
        other.start();
        transfer(one, two, 5);
        other.join();
        assert one.balance == 8 && two.balance == 12;
    }
}
