// expect: holds
/** A field that is guarded by an object in another field. */
public class Disciplined {
    private int value;
    private final Object lock = new Object();

    void add() {
        synchronized (lock) {
            value++;
        }
    }

    public static void main(String[] args) throws Exception {
        Disciplined shared = new Disciplined();
        Thread a = new Thread(shared::add);
        Thread b = new Thread(shared::add);
        a.start();
        b.start();
        a.join();
        b.join();
        assert shared.value == 2;
    }
}
