// expect: fault
// Until when a thread waits depends on the time at which it begins to.
class DeadlineSetLater {
    public static void main(String[] args) throws InterruptedException {
        Object own = new Object();
        long before = System.currentTimeMillis();
        Thread other = new Thread(() -> {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        synchronized (own) {
            own.wait(2);
        }
        other.join();
        assert System.currentTimeMillis() - before != 3;
    }
}
