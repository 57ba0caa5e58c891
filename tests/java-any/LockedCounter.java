// any: holds
public class LockedCounter {
    static class Counter {
        int count;

        void increment() {
            synchronized (this) {
                int old = count;
                count = old + 1;
                assert count == old + 1;
            }
        }
    }

    static class Worker extends Thread {
        private final Counter counter;

        Worker(Counter counter) {
            this.counter = counter;
        }

        public void run() {
            while (true) counter.increment();
        }
    }

    public static void main(String[] args) {
        Counter counter = new Counter();
        for (int i = 0; i < 2; i++) new Worker(counter).start();
    }
}
