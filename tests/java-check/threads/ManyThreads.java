// expect: holds
// Four threads add under one lock.
public class ManyThreads {
    static int count;

    static synchronized void add() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] all = new Thread[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(ManyThreads::add);
            all[i].start();
        }
        for (Thread each : all) each.join();
        assert count == 4;
    }
}
