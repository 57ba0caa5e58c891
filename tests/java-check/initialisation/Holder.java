// expect: holds
// A class holds the only instance: it is made once.
public class Holder {
    static int made;

    static class Lazy {
        static final Lazy instance = new Lazy();
        final int value = 7;

        Lazy() {
            made++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            assert Lazy.instance.value == 7;
        });
        other.start();
        assert Lazy.instance.value == 7;
        other.join();
        assert made == 1;
    }
}
