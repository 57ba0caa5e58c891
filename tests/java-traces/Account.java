// expect: deadlock
public class Account {
    private int balance;

    Account(int balance) {
        this.balance = balance;
    }

    void transfer(Account to, int amount) {
        synchronized (this) {
            synchronized (to) {
                balance -= amount;
                to.balance += amount;
            }
        }
    }

    public static void main(String[] args) {
        System.out.println("start");
        Account first = new Account(10);
        Account second = new Account(20);
        Thread there = new Thread(() -> first.transfer(second, 1), "there");
        Thread back = new Thread(() -> second.transfer(first, 2), "back");
        there.start();
        System.out.println("there");
        back.start();
    }
}
