// expect: deadlock
// Two monitors in opposite order; taken in one step each, nobody would ever have just one.
class OppositeOrder {
    static final Object a = new Object(), b = new Object();
    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
            }
        }
    }
    public static void main(String[] args) {
        new Thread(() -> both(a, b)).start();
        both(b, a);
    }
}
