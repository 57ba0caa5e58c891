// expect: assertion
// The second look is missing: two objects are made.
public class DoubleCheckedTwice {
    static volatile Object instance;
    static int made;

    static Object get() {
        if (instance == null) {
            synchronized (DoubleCheckedTwice.class) {
                made++;
                instance = new Object();
            }
        }
        return instance;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(DoubleCheckedTwice::get);
        other.start();
        get();
        other.join();
        assert made == 1 : made; // <- assertion
    }
}
