// expect: holds
// Two consumers wait in a loop.
public class WaitWithoutLoopMended {
    static final Object lock = new Object();
    static int items;

    static void take() {
        synchronized (lock) {
            try {
                while (items == 0) lock.wait();
            } catch (InterruptedException e) {
                return;
            }
            assert items > 0 : "nothing to take";
            items--;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(WaitWithoutLoopMended::take);
        Thread two = new Thread(WaitWithoutLoopMended::take);
        one.start();
        two.start();
        synchronized (lock) {
            items = 1;
            lock.notifyAll();
        }
        synchronized (lock) {
            items++;
            lock.notifyAll();
        }
        one.join();
        two.join();
        assert items == 0;
    }
}
