// expect: deadlock
import java.util.*;
import java.util.concurrent.*;

/** A barrier that one thread does not reach, since it waits at a queue. */
class QueuesInMap {
    static final Map<String, BlockingQueue<String>> queues = new ConcurrentHashMap<>();
    public static void main(String[] args) throws Exception {
        queues.put("in", new ArrayBlockingQueue<>(1));
        queues.put("out", new LinkedBlockingQueue<>());
        CyclicBarrier barrier = new CyclicBarrier(3);
        Thread a = new Thread(() -> { try { barrier.await(); queues.get("in").put("x"); } catch (Exception e) { } }, "a");
        Thread b = new Thread(() -> { try { System.out.println(queues.get("out").take()); barrier.await(); } catch (Exception e) { } }, "b");
        a.start();
        b.start();
        barrier.await();
    }
}
