// expect: holds
// notifyAll wakes everybody who could go on.
public class NotifyOneMended {
    static final Object lock = new Object();
    static int count;

    static void put() throws InterruptedException {
        synchronized (lock) {
            while (count == 1) lock.wait();
            count++;
            lock.notifyAll();
        }
    }

    static void take() throws InterruptedException {
        synchronized (lock) {
            while (count == 0) lock.wait();
            count--;
            lock.notifyAll();
        }
    }

    interface Part {
        void run() throws InterruptedException;
    }

    static Thread twice(Part part) {
        Thread made = new Thread(() -> {
            try {
                part.run();
                part.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        made.start();
        return made;
    }

    public static void main(String[] args) throws InterruptedException {
        twice(NotifyOneMended::put);
        twice(NotifyOneMended::put);
        twice(NotifyOneMended::take);
        twice(NotifyOneMended::take);
    }
}
