// expect: holds
// Looking and taking are one critical section.
public class CheckThenActMended {
    static int balance = 10;

    static synchronized void withdraw() {
        if (balance >= 10) balance -= 10;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(CheckThenActMended::withdraw);
        other.start();
        withdraw();
        other.join();
        assert balance == 0 : balance;
    }
}
