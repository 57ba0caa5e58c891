// expect: holds
// A synchronized block gives its monitor back when an exception leaves it.
public class ExceptionReleases {
    static final Object lock = new Object();
    static int failures;

    static void fail() {
        try {
            synchronized (lock) {
                failures++;
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            assert !Thread.holdsLock(lock);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(ExceptionReleases::fail);
        other.start();
        fail();
        other.join();
        assert failures == 2;
    }
}
