// expect: illegal-monitor-state
// notify without the monitor.
public class NotOwner {
    public static void main(String[] args) {
        Object lock = new Object();
        lock.notify(); // <- illegal-monitor-state
    }
}
