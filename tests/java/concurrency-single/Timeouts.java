import java.util.concurrent.*;
import java.util.concurrent.locks.ReentrantLock;

/** Timed operations that cannot succeed time out. */
public class Timeouts {
    public static void main(String[] args) throws Exception {
        System.out.println(new CountDownLatch(1).await(2, TimeUnit.MILLISECONDS) + " " + new Semaphore(0).tryAcquire(2, TimeUnit.MILLISECONDS) + new LinkedBlockingQueue<>().poll(2, TimeUnit.MILLISECONDS) + new ArrayBlockingQueue<>(1).offer(1, 2, TimeUnit.MILLISECONDS) + new SynchronousQueue<>().offer(1, 2, TimeUnit.MILLISECONDS));
        try { new CyclicBarrier(2).await(2, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { System.out.println("barrier"); }
        try { new Exchanger<>().exchange(1, 2, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { System.out.println("exchanger"); }
        try { new FutureTask<>(() -> 1).get(2, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { System.out.println("future"); }
        System.out.println(new CompletableFuture<String>().completeOnTimeout("late", 1, TimeUnit.MILLISECONDS).get());
        ReentrantLock l = new ReentrantLock(); l.lock(); System.out.println(l.newCondition().await(2, TimeUnit.MILLISECONDS) + " " + l.tryLock(1, TimeUnit.MILLISECONDS) + l.getHoldCount());
    }
}
