// expect: deadlock
// Two monitors are taken in opposite orders.
public class LockOrder {
    static final Object a = new Object();
    static final Object b = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (b) { // <- deadlock
                synchronized (a) { // <- deadlock
                    System.out.println("other");
                }
            }
        });
        other.start();
        synchronized (a) {
            synchronized (b) { // <- deadlock
                System.out.println("main");
            }
        }
        other.join();
    }
}
