import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Locks, semaphores, latches and phasers without contention. */
public class Locks {
    public static void main(String[] args) throws Exception {
        ReentrantLock l = new ReentrantLock(true);
        l.lock(); l.lock();
        System.out.println(l.getHoldCount() + " " + l.isHeldByCurrentThread() + l.isLocked() + l.isFair() + l.tryLock() + l.getHoldCount() + l.hasQueuedThreads());
        l.unlock(); l.unlock(); l.unlock();
        try { l.unlock(); } catch (IllegalMonitorStateException e) { System.out.println("not held " + e.getMessage()); }
        Condition c = l.newCondition();
        try { c.signal(); } catch (IllegalMonitorStateException e) { System.out.println("signal needs the lock"); }
        try { c.await(); } catch (IllegalMonitorStateException e) { System.out.println("await needs the lock"); }
        l.lock();
        c.signalAll();
        System.out.println(c.awaitNanos(1000) <= 0);
        l.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        rw.readLock().lock(); rw.readLock().lock();
        System.out.println(rw.getReadLockCount() + " " + rw.getReadHoldCount() + rw.writeLock().tryLock() + rw.isWriteLocked());
        rw.readLock().unlock(); rw.readLock().unlock();
        rw.writeLock().lock(); rw.readLock().lock(); rw.writeLock().unlock();
        System.out.println(rw.isWriteLocked() + " " + rw.getReadLockCount());
        StampedLock st = new StampedLock();
        long o = st.tryOptimisticRead();
        System.out.println(st.validate(o) + " " + st.isReadLocked());
        long w = st.writeLock();
        System.out.println(st.validate(o) + " " + st.isWriteLocked() + (st.tryReadLock() == 0));
        st.unlockWrite(w);
        long r = st.readLock();
        long up = st.tryConvertToWriteLock(r);
        System.out.println((up != 0) + " " + st.isWriteLocked());
        st.unlock(up);
        try { st.unlockRead(r); } catch (IllegalMonitorStateException e) { System.out.println("stale stamp"); }
        Semaphore s = new Semaphore(3);
        s.acquire(2);
        System.out.println(s.availablePermits() + " " + s.tryAcquire() + s.tryAcquire() + s.tryAcquire(1, TimeUnit.MILLISECONDS));
        s.release(5);
        System.out.println(s.drainPermits() + " " + s.availablePermits());
        CountDownLatch latch = new CountDownLatch(2);
        latch.countDown();
        System.out.println(latch.getCount() + " " + latch.await(1, TimeUnit.MILLISECONDS));
        latch.countDown(); latch.countDown();
        latch.await();
        System.out.println(latch.getCount());
        CyclicBarrier b = new CyclicBarrier(1, () -> System.out.print("tripped "));
        System.out.println(b.await() + " " + b.getParties() + b.isBroken());
        Phaser p = new Phaser(1);
        System.out.println(p.arrive() + " " + p.getPhase() + p.arriveAndAwaitAdvance() + p.register() + p.getRegisteredParties() + p.arriveAndDeregister() + p.arriveAndDeregister() + p.isTerminated());
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        LockSupport.parkNanos(1);
        Thread.currentThread().interrupt();
        try { latch = new CountDownLatch(1); latch.await(); } catch (InterruptedException e) { System.out.println("interrupted " + Thread.interrupted()); }
        Thread.currentThread().interrupt();
        LockSupport.park();
        System.out.println(Thread.interrupted() + " " + Thread.interrupted());
        try { Thread.currentThread().interrupt(); Thread.sleep(1000); } catch (InterruptedException e) { System.out.println(e.getMessage()); }
    }
}
