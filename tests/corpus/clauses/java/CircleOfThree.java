// expect: deadlock
// Three monitors in a circle.
class CircleOfThree {
    static final Object a = new Object(), b = new Object(), c = new Object();
    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
            }
        }
    }
    public static void main(String[] args) {
        new Thread(() -> both(a, b)).start();
        new Thread(() -> both(b, c)).start();
        both(c, a);
    }
}
