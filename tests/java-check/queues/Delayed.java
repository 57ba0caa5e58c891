// expect: holds
// A delay queue gives an item when its time has come.
import java.util.concurrent.DelayQueue;
import java.util.concurrent.TimeUnit;

public class Delayed {
    static class Item implements java.util.concurrent.Delayed {
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        public int compareTo(java.util.concurrent.Delayed other) {
            return 0;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        DelayQueue<Item> queue = new DelayQueue<>();
        Item item = new Item();
        new Thread(() -> queue.put(item)).start();
        assert queue.take() == item;
    }
}
