// expect: deadlock
// println takes the monitor of System.out, and the two monitors are taken in different orders.
class OutputNeedsMonitor {
    static final Object m = new Object();
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (m) {
                System.out.println("other"); // <- deadlock
            }
        });
        other.start();
        synchronized (System.out) {
            synchronized (m) { // <- deadlock
            }
        }
        other.join();
    }
}
