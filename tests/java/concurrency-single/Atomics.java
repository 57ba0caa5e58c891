import java.util.concurrent.atomic.*;

/** The atomic classes, used by one thread. */
public class Atomics {
    volatile int f; volatile long g; volatile String h = "h";
    public static void main(String[] args) {
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.getAndIncrement() + " " + i.incrementAndGet() + " " + i.addAndGet(10) + " " + i.getAndAdd(-3) + " " + i.compareAndSet(14, 1) + i.compareAndSet(14, 2) + " " + i.updateAndGet(x -> x * 7) + " " + i.getAndUpdate(x -> x - 1) + " " + i.accumulateAndGet(100, Math::max) + " " + i.getAndAccumulate(3, Integer::sum) + " " + i + i.decrementAndGet() + i.getAndSet(9) + i.intValue() + i.compareAndExchange(9, 8));
        AtomicLong l = new AtomicLong(Long.MAX_VALUE);
        System.out.println(l.incrementAndGet() + " " + l.getAndAdd(-1) + " " + l.updateAndGet(x -> x >>> 32) + " " + l.accumulateAndGet(3, (a, b) -> a / b) + " " + l.getAndDecrement() + l.get());
        AtomicBoolean b = new AtomicBoolean();
        System.out.println(b.getAndSet(true) + " " + b.compareAndSet(true, false) + b.compareAndSet(true, false) + b);
        AtomicReference<String> r = new AtomicReference<>("a");
        System.out.println(r.updateAndGet(s -> s + "b") + r.getAndUpdate(s -> s + "c") + r.compareAndSet("abc", "no") + r.accumulateAndGet("d", String::concat) + r.getAndSet(null) + r.get());
        AtomicIntegerArray a = new AtomicIntegerArray(3);
        a.incrementAndGet(1); a.addAndGet(2, 5); a.compareAndSet(0, 0, 9); a.updateAndGet(2, x -> x * x);
        AtomicLongArray la = new AtomicLongArray(new long[] {1, 2});
        la.accumulateAndGet(1, 40, (x, y) -> x << y);
        AtomicReferenceArray<String> ra = new AtomicReferenceArray<>(2);
        ra.set(0, "x"); ra.getAndUpdate(1, s -> "was " + s);
        System.out.println(a + " " + a.length() + la + ra);
        try { a.get(3); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        LongAdder add = new LongAdder();
        for (int k = 0; k < 100; k++) add.add(k);
        add.decrement();
        System.out.println(add + " " + add.sumThenReset() + add.sum() + " " + new LongAccumulator(Math::max, Long.MIN_VALUE).get());
        DoubleAdder d = new DoubleAdder();
        d.add(1.5); d.add(2.25);
        LongAccumulator m = new LongAccumulator((x, y) -> x * y, 1);
        for (int k = 1; k < 10; k++) m.accumulate(k);
        System.out.println(d.sum() + " " + m.get());
        AtomicIntegerFieldUpdater<Atomics> fu = AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "f");
        AtomicLongFieldUpdater<Atomics> gu = AtomicLongFieldUpdater.newUpdater(Atomics.class, "g");
        AtomicReferenceFieldUpdater<Atomics, String> hu = AtomicReferenceFieldUpdater.newUpdater(Atomics.class, String.class, "h");
        Atomics o = new Atomics();
        System.out.println(fu.addAndGet(o, 4) + fu.getAndIncrement(o) + " " + o.f + gu.updateAndGet(o, x -> x - 1) + hu.getAndSet(o, "i") + hu.compareAndSet(o, "i", "j") + o.h);
        AtomicStampedReference<String> sr = new AtomicStampedReference<>("s", 1);
        int[] stamp = new int[1];
        System.out.println(sr.compareAndSet("s", "t", 0, 2) + " " + sr.compareAndSet("s", "t", 1, 2) + sr.get(stamp) + stamp[0] + sr.attemptStamp("t", 9) + sr.getStamp());
        AtomicMarkableReference<String> mr = new AtomicMarkableReference<>("m", false);
        System.out.println(mr.attemptMark("m", true) + " " + mr.isMarked() + mr.compareAndSet("m", "n", true, false) + mr.getReference());
    }
}
