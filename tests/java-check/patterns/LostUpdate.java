// expect: assertion
// Two threads add to a plain field.
public class LostUpdate {
    static int balance;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> balance++);
        other.start();
        balance++;
        other.join();
        assert balance == 2 : "balance=" + balance; // <- assertion
    }
}
