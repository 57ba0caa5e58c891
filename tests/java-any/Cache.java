// any: holds
public class Cache {
    static class Entry {
        private boolean loading;
        private boolean loaded;
        private int loads;

        int get() throws InterruptedException {
            synchronized (this) {
                while (loading) wait();
                if (loaded) return loads;
                loading = true;
            }
            synchronized (this) {
                loads++;
                loading = false;
                loaded = true;
                notifyAll();
                return loads;
            }
        }
    }

    static class Client implements Runnable {
        private final Entry entry;

        Client(Entry entry) {
            this.entry = entry;
        }

        public void run() {
            try {
                int value = entry.get();
                if (value != 1) throw new IllegalStateException("loaded " + value + " times");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) {
        Entry entry = new Entry();
        for (int i = 0; i < 2; i++) new Thread(new Client(entry), "client").start();
    }
}
