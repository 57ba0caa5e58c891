// expect: deadlock
public class LockOrder {
    static final Object a = new Object();
    static final Object b = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (b) {
                synchronized (a) {
                    System.out.println("other");
                }
            }
        });
        other.start();
        synchronized (a) {
            synchronized (b) {
                System.out.println("main");
            }
        }
        other.join();
    }
}
