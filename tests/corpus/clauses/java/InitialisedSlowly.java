// expect: fault
// Who needs a class that another thread initialises waits for the end of that, whatever it does meanwhile.
class InitialisedSlowly {
    static volatile int v, w;
    static class Late {
        static int z = 1;
        static {
            v = 1;
            w = 1;
        }
    }
    public static void main(String[] args) {
        new Thread(() -> { throw new IllegalStateException("a " + Late.z + w); }).start();
        if (v == 1) throw new IllegalStateException("main " + w + Late.z);
    }
}
