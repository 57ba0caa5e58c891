// any: holds
public class HandLatch {
    static class Latch {
        private int count = 2;

        synchronized void countDown() {
            if (count > 0) count--;
            if (count == 0) notifyAll();
        }

        synchronized void await() throws InterruptedException {
            while (count > 0) wait();
        }
    }

    static volatile int prepared;

    public static void main(String[] args) {
        Latch latch = new Latch();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                try {
                    latch.await();
                    assert prepared == 2;
                } catch (InterruptedException e) {
                    return;
                }
            }, "waiter").start();
        }
        prepared = 1;
        latch.countDown();
        prepared = 2;
        latch.countDown();
    }
}
