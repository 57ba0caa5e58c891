// expect: holds
// Two virtual threads add under a lock.
// jdk 21
public class VirtualCounter {
    static int count;

    static synchronized void add() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = Thread.startVirtualThread(VirtualCounter::add);
        Thread two = Thread.ofVirtual().start(VirtualCounter::add);
        one.join();
        two.join();
        assert count == 2;
    }
}
