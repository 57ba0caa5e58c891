// expect: holds
// A thread ends with its own monitor, so that nobody who looks before it waits misses the end.
class EndNeedsMonitor {
    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> { });
        worker.start();
        synchronized (worker) {
            while (worker.isAlive()) {
                worker.wait();
            }
        }
    }
}
