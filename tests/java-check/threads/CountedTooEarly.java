// expect: assertion
// A thread that was started may have ended already.
public class CountedTooEarly {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> { });
        other.start();
        assert Thread.activeCount() == 2; // <- assertion
        other.join();
    }
}
