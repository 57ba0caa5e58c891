// any: violated 2
public class DoubleCheckedWrong {
    static final Object lock = new Object();
    static volatile int instance;
    static int made;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    int local = instance;
                    if (local == 0) {
                        synchronized (lock) {
                            if (local == 0) {
                                made++;
                                assert made <= 1;
                                instance = 1;
                                local = 1;
                            }
                        }
                    }
                    assert local == 1;
                }
            }).start();
        }
    }
}
