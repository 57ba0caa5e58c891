// expect: assertion
// Two consumers wait with `if`: both are woken for one item.
public class WaitWithoutLoop {
    static final Object lock = new Object();
    static int items;

    static void take() {
        synchronized (lock) {
            try {
                if (items == 0) lock.wait();
            } catch (InterruptedException e) {
                return;
            }
            assert items > 0 : "nothing to take"; // <- assertion
            items--;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(WaitWithoutLoop::take), two = new Thread(WaitWithoutLoop::take);
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
    }
}
