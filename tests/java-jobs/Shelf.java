/** Some put and some take, one thing fits; with an argument only one of those who wait is woken. */
public class Shelf {
    static final Object LOCK = new Object();
    static boolean isFull;
    static boolean wakesOne;

    static void change(boolean toFull) throws InterruptedException {
        synchronized (LOCK) {
            while (isFull == toFull) {
                LOCK.wait();
            }
            isFull = toFull;
            if (wakesOne) {
                LOCK.notify();
            } else {
                LOCK.notifyAll();
            }
        }
    }

    public static void main(String[] args) {
        wakesOne = args.length > 0;
        for (int i = 0; i < 6; i++) {
            boolean puts = i % 2 == 0;
            new Thread(() -> {
                try {
                    change(puts);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }).start();
        }
    }
}
