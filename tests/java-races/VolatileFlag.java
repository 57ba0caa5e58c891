// expect: holds
public class VolatileFlag {
    static volatile boolean ready;
    static int data;

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            data = 42;
            ready = true;
        });
        writer.start();
        if (ready) {
            assert data == 42;
        }
    }
}
