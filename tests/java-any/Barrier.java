// any: holds
public class Barrier {
    static final Object lock = new Object();
    static int count;
    static boolean released;

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            new Thread(() -> {
                try {
                    synchronized (lock) {
                        count++;
                        if (count == 3) {
                            released = true;
                            lock.notifyAll();
                        }
                        while (!released) lock.wait();
                        assert count >= 3;
                    }
                } catch (InterruptedException e) {
                    return;
                }
            }).start();
        }
    }
}
