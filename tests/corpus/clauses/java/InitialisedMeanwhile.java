// expect: fault
// A step was to initialise a class, which another thread has made superfluous: what comes next has to wait.
class InitialisedMeanwhile {
    static class Base {
        int f;
    }
    static class Sub extends Base {
    }
    static int x;
    static volatile int v;
    static final Object n = new Object();
    static Base p;
    static void await() {
        synchronized (n) {
            try {
                while (v == 0) n.wait();
            } catch (InterruptedException e) {
                return;
            }
        }
    }
    static void divide() {
        p = new Sub();
        synchronized (InitialisedMeanwhile.class) {
            int r = 0;
            try { r += 1 / x; } catch (ArithmeticException e) { r += 7; }
            synchronized (n) {
                v = 0;
            }
        }
    }
    public static void main(String[] args) {
        new Thread(InitialisedMeanwhile::await).start();
        new Thread(InitialisedMeanwhile::divide).start();
        throw new IllegalStateException("0: " + x);
    }
}
