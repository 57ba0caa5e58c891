// expect: deadlock
// A time limit of centuries is none.
class SleepsForEver {
    static final Object m = new Object();
    public static void main(String[] args) throws InterruptedException {
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(Long.MAX_VALUE); // <- deadlock
            } catch (InterruptedException e) {
                return;
            }
        });
        sleeper.start();
        synchronized (m) {
            m.wait(Long.MAX_VALUE); // <- deadlock
        }
    }
}
