// expect: fault
// Until when a thread parks depends on the time at which it begins to.
class DeadlineOfPark {
    public static void main(String[] args) throws InterruptedException {
        long before = System.currentTimeMillis();
        Thread other = new Thread(() -> {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
        other.join();
        assert System.currentTimeMillis() - before != 3;
    }
}
