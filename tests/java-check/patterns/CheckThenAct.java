// expect: assertion
// Two threads see that there is enough, and both take it.
public class CheckThenAct {
    static int balance = 10;

    static synchronized int get() {
        return balance;
    }

    static synchronized void take(int amount) {
        balance -= amount;
    }

    static void withdraw() {
        if (get() >= 10) take(10);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(CheckThenAct::withdraw);
        other.start();
        withdraw();
        other.join();
        assert balance >= 0 : balance; // <- assertion
    }
}
