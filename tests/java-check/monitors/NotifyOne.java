// expect: deadlock
// notify where notifyAll is needed: a producer wakes a producer, and everybody waits.
public class NotifyOne {
    static final Object lock = new Object();
    static int count;

    static void put() throws InterruptedException {
        synchronized (lock) {
            while (count == 1) lock.wait(); // <- deadlock
            count++;
            lock.notify();
        }
    }

    static void take() throws InterruptedException {
        synchronized (lock) {
            while (count == 0) lock.wait(); // <- deadlock
            count--;
            lock.notify();
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
        twice(NotifyOne::put);
        twice(NotifyOne::put);
        twice(NotifyOne::take);
        twice(NotifyOne::take);
    }
}
