/** A monitor with wait and notifyAll: producers and consumers; the sum is always the same. */
public class BoundedBuffer {
    final int[] items = new int[3]; int count, in, out;
    synchronized void put(int x) throws InterruptedException { while (count == items.length) wait(); items[in] = x; in = (in + 1) % items.length; count++; notifyAll(); }
    synchronized int take() throws InterruptedException { while (count == 0) wait(); int x = items[out]; out = (out + 1) % items.length; count--; notifyAll(); return x; }
    static long total; static int taken;
    public static void main(String[] args) throws InterruptedException {
        BoundedBuffer b = new BoundedBuffer();
        Thread[] ts = new Thread[5];
        for (int i = 0; i < 3; i++) { int k = i; ts[i] = new Thread(() -> { try { for (int j = 0; j < 100; j++) b.put(k * 1000 + j); } catch (InterruptedException e) { System.out.println("no"); } }); }
        for (int i = 3; i < 5; i++) ts[i] = new Thread(() -> { try { for (int j = 0; j < 150; j++) { int x = b.take(); synchronized (BoundedBuffer.class) { total += x; taken++; } } } catch (InterruptedException e) { System.out.println("no"); } });
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(total + " " + taken + " " + b.count);
        BoundedBuffer one = new BoundedBuffer();
        Thread consumer = new Thread(() -> { try { StringBuilder s = new StringBuilder(); for (int x; (x = one.take()) >= 0; ) s.append(x).append(' '); System.out.println(s); } catch (InterruptedException e) { } });
        consumer.start();
        for (int i = 0; i < 20; i++) one.put(i * i);
        one.put(-1);
        consumer.join();
    }
}
