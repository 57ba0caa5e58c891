/**
 * A synchronisation skeleton: two kinds of threads take turns at two events, each of which
 * counts how often it was signalled so that no signal is lost.
 *
 * <p>Arguments: rounds (2), threads of the first kind (1), of the second kind (1), and
 * {@code lossy} for events that do not look at the count again under their lock, so that a signal
 * can be missed.
 */
public class Clean {
    static final class Event {
        private int count;

        synchronized void waitForEvent() throws InterruptedException {
            wait();
        }

        synchronized void waitForEvent(int seen) throws InterruptedException {
            while (count == seen) wait();
        }

        synchronized void signalEvent() {
            count++;
            notifyAll();
        }

        synchronized int count() {
            return count;
        }
    }

    static final class First extends Thread {
        private final Event mine;
        private final Event theirs;
        private final int rounds;
        private final boolean isLossy;

        First(Event mine, Event theirs, int rounds, boolean isLossy) {
            this.mine = mine;
            this.theirs = theirs;
            this.rounds = rounds;
            this.isLossy = isLossy;
        }

        @Override
        public void run() {
            int seen = 0;
            try {
                for (int round = 0; round < rounds; round++) {
                    if (isLossy) {
                        if (seen == mine.count()) mine.waitForEvent();
                    } else {
                        mine.waitForEvent(seen);
                    }
                    seen = mine.count();
                    theirs.signalEvent();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static final class Second extends Thread {
        private final Event mine;
        private final Event theirs;
        private final int rounds;
        private final boolean isLossy;

        Second(Event mine, Event theirs, int rounds, boolean isLossy) {
            this.mine = mine;
            this.theirs = theirs;
            this.rounds = rounds;
            this.isLossy = isLossy;
        }

        @Override
        public void run() {
            int seen = 0;
            try {
                for (int round = 0; round < rounds; round++) {
                    theirs.signalEvent();
                    if (isLossy) {
                        if (seen == mine.count()) mine.waitForEvent();
                    } else {
                        mine.waitForEvent(seen);
                    }
                    seen = mine.count();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int firsts = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        boolean isLossy = args.length > 3 && args[3].equals("lossy");
        Event one = new Event();
        Event two = new Event();
        for (int i = 0; i < firsts; i++) new First(one, two, rounds, isLossy).start();
        for (int i = 0; i < seconds; i++) new Second(two, one, rounds, isLossy).start();
    }
}
