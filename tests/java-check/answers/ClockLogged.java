// expect: holds
// What is only measured and printed decides nothing, however it is written.
public class ClockLogged {
    static int count;

    static synchronized void count() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        long begin = System.nanoTime();
        Thread other = new Thread(() -> {
            long own = System.currentTimeMillis();
            count();
            System.out.println("took " + (System.currentTimeMillis() - own));
        });
        other.start();
        count();
        Thread.sleep(5);
        other.join();
        System.out.printf("%d ns, %s%n", System.nanoTime() - begin, java.time.Instant.now());
        assert count == 2;
    }
}
