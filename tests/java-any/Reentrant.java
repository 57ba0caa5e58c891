// any: violated 1
public class Reentrant {
    static int x;

    static synchronized void step() {
        x++;
        assert x <= 2;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    synchronized (Reentrant.class) {
                        step();
                    }
                }
            }).start();
        }
    }
}
