// expect: deadlock
import java.util.*;
import java.util.concurrent.locks.*;

/** A bounded buffer that signals the wrong condition. */
class WrongSignal {
    private final Lock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition();
    private final Condition notEmpty = lock.newCondition();
    private final Deque<Integer> items = new ArrayDeque<>();

    void put(int item) throws InterruptedException {
        lock.lock();
        try {
            while (items.size() == 1) notFull.await();
            items.addLast(item);
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    int take() throws InterruptedException {
        lock.lock();
        try {
            while (items.isEmpty()) notEmpty.await();
            int item = items.removeFirst();
            notEmpty.signal(); // wrong: should be notFull
            return item;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        WrongSignal buffer = new WrongSignal();
        Thread producer = new Thread(() -> {
            try { for (int i = 0; i < 2; i++) buffer.put(i); } catch (InterruptedException e) { }
        }, "producer");
        Thread consumer = new Thread(() -> {
            try { for (int i = 0; i < 2; i++) buffer.take(); } catch (InterruptedException e) { }
        }, "consumer");
        producer.start();
        consumer.start();
    }
}
