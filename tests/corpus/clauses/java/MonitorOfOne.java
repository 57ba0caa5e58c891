// expect: deadlock
// A monitor that only one thread had used is another one's, too.
class MonitorOfOne {
    static final Object m = new Object(), n = new Object();
    public static void main(String[] args) throws Exception {
        synchronized (m) {
            Thread other = new Thread(() -> {
                synchronized (m) {
                }
            });
            other.start();
            other.join();
        }
    }
}
