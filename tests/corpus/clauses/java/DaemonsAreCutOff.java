// expect: fault
// A daemon goes on as long as there is somebody else, and not longer.
class DaemonsAreCutOff {
    static volatile int v;
    public static void main(String[] args) {
        Thread daemon = new Thread(() -> {
            v = 1;
            throw new IllegalStateException("the daemon");
        });
        daemon.setDaemon(true);
        daemon.start();
        new Thread(() -> {
            if (v == 1) throw new IllegalStateException("the last one");
        }).start();
    }
}
