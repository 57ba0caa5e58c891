// expect: assertion
public class Early {
    private int value;
    private final Object lock = new Object();

    void add() {
        synchronized (lock) {
            value++;
        }
    }

    int peek() {
        return value;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("before the first step");
        Early shared = new Early();
        Thread adding = new Thread(shared::add);
        Thread peeking = new Thread(shared::peek);
        adding.start();
        peeking.start();
        adding.join();
        peeking.join();
        assert false;
    }
}
