// flags: --class Deadlock --size 2x1 --before 0 --after 0
// violated: deadlock
public class Deadlock {
    private final Object first = new Object();
    private final Object second = new Object();

    @raddle.Operation
    public void there() {
        synchronized (first) {
            synchronized (second) {
                second.notify();
            }
        }
    }

    @raddle.Operation
    public void back() {
        synchronized (second) {
            synchronized (first) {
                first.notify();
            }
        }
    }
}
