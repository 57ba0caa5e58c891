// expect: illegal-monitor-state
public class NotOwner {
    public static void main(String[] args) {
        Object lock = new Object();
        lock.notify();
    }
}
