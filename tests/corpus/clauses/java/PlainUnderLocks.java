// expect: fault, race
// Plain accesses under different locks race, and are seen to do so.
class PlainUnderLocks {
    static final Object a = new Object(), b = new Object();
    static int x;
    static void add(Object lock) {
        synchronized (lock) {
            x++;
        }
    }
    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> add(a));
        other.start();
        add(b);
        other.join();
        assert x == 2;
    }
}
