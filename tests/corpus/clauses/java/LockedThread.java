// expect: deadlock
// Who waits for the end of a thread takes its monitor first, which somebody else has for good.
class LockedThread {
    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> { });
        worker.start();
        worker.join();
        Thread waiter = new Thread(() -> {
            try {
                worker.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        synchronized (worker) {
            waiter.start();
            waiter.join();
        }
    }
}
