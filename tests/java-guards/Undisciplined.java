// expect: holds
/** A field that is guarded most of the time. */
public class Undisciplined {
    private int value;
    private final Object lock = new Object();

    void add() {
        synchronized (lock) {
            value++;
        }
    }

    int peek() {
        return value;
    }

    public static void main(String[] args) throws Exception {
        Undisciplined shared = new Undisciplined();
        Thread a = new Thread(shared::add);
        Thread b = new Thread(shared::peek);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
