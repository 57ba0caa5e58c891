// expect: fault
// Whoever needs a class first initialises it, and others wait for that and see what it did.
class LateInitialisation {
    static volatile int v;
    static class Late {
        static int z = v;
    }
    public static void main(String[] args) {
        new Thread(() -> { throw new IllegalStateException("a " + Late.z + v); }).start();
        new Thread(() -> { v = 1; int z = Late.z; throw new IllegalStateException("b " + z); }).start();
    }
}
