/**
 * A synchronisation skeleton: a line of stages, each a thread with a buffer before it. The first
 * stage gets the numbers 1 to n and a last one that says stop; each stage adds something to
 * what it passes on; the last one checks what it gets.
 *
 * <p>Arguments: stages (2), numbers (2), places in each buffer (1), and {@code careless} for stages
 * that do not pass on that they stop.
 */
public class Pipeline {
    static final int STOP = -1;

    static final class Buffer {
        private final int[] places;
        private int first;
        private int count;

        Buffer(int places) {
            this.places = new int[places];
        }

        synchronized void put(int item) throws InterruptedException {
            while (count == places.length) wait();
            assert count < places.length : "a full buffer";
            places[(first + count) % places.length] = item;
            count++;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (count == 0) wait();
            assert count > 0 : "an empty buffer";
            int item = places[first];
            first = (first + 1) % places.length;
            count--;
            notifyAll();
            return item;
        }
    }

    static final class Stage extends Thread {
        private final Buffer from;
        private final Buffer to;
        private final boolean isCareless;

        Stage(int number, Buffer from, Buffer to, boolean isCareless) {
            super("stage " + number);
            this.from = from;
            this.to = to;
            this.isCareless = isCareless;
        }

        @Override
        public void run() {
            try {
                int item = from.take();
                while (item != STOP) {
                    to.put(item + 10);
                    item = from.take();
                }
                if (!isCareless) to.put(STOP);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int stages = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int numbers = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int places = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        boolean isCareless = args.length > 3 && args[3].equals("careless");
        Buffer[] buffers = new Buffer[stages + 1];
        for (int i = 0; i <= stages; i++) buffers[i] = new Buffer(places);
        for (int i = 0; i < stages; i++) {
            new Stage(i, buffers[i], buffers[i + 1], isCareless).start();
        }
        Thread source = new Thread(() -> {
            try {
                for (int i = 1; i <= numbers; i++) buffers[0].put(i);
                buffers[0].put(STOP);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "source");
        source.start();
        for (int i = 1; i <= numbers; i++) {
            int item = buffers[stages].take();
            assert item == i + 10 * stages : "item " + i + " is " + item;
        }
        assert buffers[stages].take() == STOP;
    }
}
