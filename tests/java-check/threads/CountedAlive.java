// expect: holds
// How many threads are alive: the main one, and the others until they end.
public class CountedAlive {
    public static void main(String[] args) throws InterruptedException {
        assert Thread.activeCount() == 1;
        Thread other = new Thread(() -> { });
        other.start();
        int count = Thread.activeCount();
        assert count == 1 || count == 2;
        other.join();
        assert Thread.activeCount() == 1;
    }
}
