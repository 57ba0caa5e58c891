import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A branch-and-bound solver of the travelling salesman's problem. Workers take partial tours from
 * a common pool, shortest first, and either extend them by one town each or, when few towns are
 * left, search all the rest by themselves. What cannot become shorter than the best tour known so
 * far is dropped.
 *
 * <p>Arguments: towns (4), workers (2), how many towns may be left when a worker searches by itself
 * (2), seed (1), and what is wrong:
 *
 * <ul>
 *   <li>{@code right}: nothing
 *   <li>{@code unlocked}: the best tour is replaced without looking again whether it is worse
 *   <li>{@code hasty}: a worker that finds the pool empty ends, although others may still add to it;
 *       slower, and not wrong
 *   <li>{@code sleepy}: workers that wait are not told that the work is over
 * </ul>
 */
public class Salesman {
    /** What can be wrong. */
    enum Mistake {
        RIGHT,
        UNLOCKED,
        HASTY,
        SLEEPY
    }

    /** Numbers that look random and are the same each time. */
    static final class Numbers {
        private long state;

        Numbers(long seed) {
            state = seed * 2862933555777941757L + 3037000493L;
        }

        int below(int bound) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) ((state >>> 33) % bound);
        }
    }

    /** How far it is from each town to each other one, in both directions. */
    static final class Distances {
        private final int[][] between;

        private Distances(int[][] between) {
            this.between = between;
        }

        /** Towns at random places of a square, with distances along its streets. */
        static Distances random(int towns, long seed) {
            Numbers numbers = new Numbers(seed);
            int[] x = new int[towns];
            int[] y = new int[towns];
            for (int town = 0; town < towns; town++) {
                x[town] = numbers.below(10);
                y[town] = numbers.below(10);
            }
            int[][] between = new int[towns][towns];
            for (int from = 0; from < towns; from++) {
                for (int to = 0; to < towns; to++) {
                    between[from][to] = Math.abs(x[from] - x[to]) + Math.abs(y[from] - y[to]);
                }
            }
            return new Distances(between);
        }

        int towns() {
            return between.length;
        }

        int get(int from, int to) {
            return between[from][to];
        }

        /** The least distance from a town to one of a set that is not itself, or 0. */
        int least(int from, int among) {
            int least = Integer.MAX_VALUE;
            for (int to = 0; to < between.length; to++) {
                if (to != from && (among & 1 << to) != 0) least = Math.min(least, between[from][to]);
            }
            return least == Integer.MAX_VALUE ? 0 : least;
        }

        /** How long it is to visit towns in this order, and to return to the first one. */
        int lengthOf(int[] tour) {
            int length = 0;
            for (int i = 0; i < tour.length; i++) {
                length += between[tour[i]][tour[(i + 1) % tour.length]];
            }
            return length;
        }
    }

    /** The beginning of a tour. It never changes; longer ones are made from it. */
    static final class Partial {
        private final Partial before;
        private final int town;
        private final int visited;
        private final int count;
        private final int length;
        private final int bound;

        private Partial(Partial before, int town, int visited, int count, int length, int bound) {
            this.before = before;
            this.town = town;
            this.visited = visited;
            this.count = count;
            this.length = length;
            this.bound = bound;
        }

        static Partial start(Distances distances) {
            return make(null, 0, distances);
        }

        private static Partial make(Partial before, int town, Distances distances) {
            int visited = 1 << town;
            int count = 1;
            int length = 0;
            if (before != null) {
                visited |= before.visited;
                count += before.count;
                length = before.length + distances.get(before.town, town);
            }
            int bound = length + Bounds.rest(distances, town, visited);
            return new Partial(before, town, visited, count, length, bound);
        }

        boolean isComplete(Distances distances) {
            return count == distances.towns();
        }

        int left(Distances distances) {
            return distances.towns() - count;
        }

        boolean hasVisited(int other) {
            return (visited & 1 << other) != 0;
        }

        Partial extended(int next, Distances distances) {
            assert !hasVisited(next) : "town " + next + " is visited twice";
            return make(this, next, distances);
        }

        int total(Distances distances) {
            return length + distances.get(town, 0);
        }

        /** No tour that begins like this is shorter. */
        int bound() {
            return bound;
        }

        int[] towns() {
            int[] towns = new int[count];
            Partial here = this;
            for (int i = count - 1; i >= 0; i--) {
                towns[i] = here.town;
                here = here.before;
            }
            return towns;
        }
    }

    /** Lower bounds. */
    static final class Bounds {
        private Bounds() {}

        /**
         * What is needed at least from a town, through all that are not visited, back to the first
         * one: each of them has to be left towards another one.
         */
        static int rest(Distances distances, int town, int visited) {
            int all = (1 << distances.towns()) - 1;
            int left = all & ~visited;
            if (left == 0) return distances.get(town, 0);
            int bound = distances.least(town, left);
            for (int other = 0; other < distances.towns(); other++) {
                if ((left & 1 << other) != 0) bound += distances.least(other, left | 1);
            }
            return bound;
        }
    }

    /** The best tour that is known. */
    static final class Best {
        private final Mistake mistake;
        private int[] tour;
        private volatile int length;
        private int improvements;

        Best(int[] tour, int length, Mistake mistake) {
            this.tour = tour;
            this.length = length;
            this.mistake = mistake;
        }

        /** How long it is, perhaps a little while ago: it only gets shorter. */
        int length() {
            return length;
        }

        void offer(int[] candidate, int candidateLength) {
            if (candidateLength >= length) return;
            if (mistake == Mistake.UNLOCKED) {
                replace(candidate, candidateLength);
                return;
            }
            synchronized (this) {
                if (candidateLength < length) replace(candidate, candidateLength);
            }
        }

        private void replace(int[] candidate, int candidateLength) {
            tour = candidate;
            length = candidateLength;
            improvements++;
        }

        synchronized int[] tour() {
            return tour;
        }

        synchronized int improvements() {
            return improvements;
        }
    }

    /** Partial tours, shortest bound first: a binary heap. */
    static final class Heap {
        private Partial[] elements = new Partial[8];
        private int size;

        boolean isEmpty() {
            return size == 0;
        }

        int size() {
            return size;
        }

        void add(Partial partial) {
            if (size == elements.length) elements = Arrays.copyOf(elements, 2 * size);
            int place = size++;
            while (place > 0 && partial.bound() < elements[(place - 1) / 2].bound()) {
                elements[place] = elements[(place - 1) / 2];
                place = (place - 1) / 2;
            }
            elements[place] = partial;
        }

        Partial removeFirst() {
            Partial first = elements[0];
            Partial last = elements[--size];
            elements[size] = null;
            if (size > 0) sink(last);
            return first;
        }

        private void sink(Partial partial) {
            int place = 0;
            while (true) {
                int child = 2 * place + 1;
                if (child >= size) break;
                if (child + 1 < size && elements[child + 1].bound() < elements[child].bound()) child++;
                if (partial.bound() <= elements[child].bound()) break;
                elements[place] = elements[child];
                place = child;
            }
            elements[place] = partial;
        }

        boolean isOrdered() {
            for (int i = 1; i < size; i++) {
                if (elements[i].bound() < elements[(i - 1) / 2].bound()) return false;
            }
            return true;
        }
    }

    /** What is still to be done. The work is over when the pool is empty and nobody is at work. */
    static final class Pool {
        private final Heap heap = new Heap();
        private final Mistake mistake;
        private int working;
        private int largest;

        Pool(Mistake mistake) {
            this.mistake = mistake;
        }

        synchronized void add(List<Partial> all) {
            for (Partial partial : all) heap.add(partial);
            largest = Math.max(largest, heap.size());
            assert heap.isOrdered() : "the heap is out of order";
            if (!all.isEmpty()) notifyAll();
        }

        /** What to do next, or null if there is nothing any more. */
        synchronized Partial take() throws InterruptedException {
            while (heap.isEmpty()) {
                if (working == 0) {
                    if (mistake != Mistake.SLEEPY) notifyAll();
                    return null;
                }
                if (mistake == Mistake.HASTY) return null;
                wait();
            }
            working++;
            return heap.removeFirst();
        }

        /** Whoever took something is done with it. */
        synchronized void done() {
            assert working > 0 : "nobody is at work";
            working--;
            if (working == 0 && heap.isEmpty() && mistake != Mistake.SLEEPY) notifyAll();
        }

        synchronized boolean isOver() {
            return working == 0 && heap.isEmpty();
        }

        synchronized int largest() {
            return largest;
        }
    }

    /** A search from one partial tour to its end, depth first. */
    static final class Rest {
        private final Distances distances;
        private final Best best;
        private final int[] order;
        private int tried;

        Rest(Distances distances, Best best) {
            this.distances = distances;
            this.best = best;
            this.order = new int[distances.towns()];
        }

        int search(Partial partial) {
            int[] towns = partial.towns();
            System.arraycopy(towns, 0, order, 0, towns.length);
            tried = 0;
            visit(towns.length, partial.visited, partial.length);
            return tried;
        }

        private void visit(int count, int visited, int length) {
            int here = order[count - 1];
            if (count == order.length) {
                tried++;
                best.offer(order.clone(), length + distances.get(here, 0));
                return;
            }
            for (int next : nearestFirst(here, visited)) {
                int longer = length + distances.get(here, next);
                int bound = longer + Bounds.rest(distances, next, visited | 1 << next);
                if (bound >= best.length()) continue;
                order[count] = next;
                visit(count + 1, visited | 1 << next, longer);
            }
        }

        private int[] nearestFirst(int here, int visited) {
            int[] left = new int[distances.towns() - Integer.bitCount(visited)];
            int size = 0;
            for (int town = 0; town < distances.towns(); town++) {
                if ((visited & 1 << town) != 0) continue;
                int place = size++;
                while (place > 0 && distances.get(here, town) < distances.get(here, left[place - 1])) {
                    left[place] = left[place - 1];
                    place--;
                }
                left[place] = town;
            }
            return left;
        }
    }

    /** A thread that takes partial tours and extends them. */
    static final class Worker extends Thread {
        private final Distances distances;
        private final Pool pool;
        private final Best best;
        private final Rest rest;
        private final int alone;
        private int extended;
        private int dropped;
        private int tried;

        Worker(int number, Distances distances, Pool pool, Best best, int alone) {
            super("worker " + number);
            this.distances = distances;
            this.pool = pool;
            this.best = best;
            this.alone = alone;
            this.rest = new Rest(distances, best);
        }

        @Override
        public void run() {
            try {
                Partial partial = pool.take();
                while (partial != null) {
                    work(partial);
                    pool.done();
                    partial = pool.take();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void work(Partial partial) {
            if (partial.bound() >= best.length()) {
                dropped++;
            } else if (partial.left(distances) <= alone) {
                tried += rest.search(partial);
            } else {
                extend(partial);
            }
        }

        private void extend(Partial partial) {
            List<Partial> longer = new ArrayList<>();
            for (int town = 1; town < distances.towns(); town++) {
                if (partial.hasVisited(town)) continue;
                Partial next = partial.extended(town, distances);
                if (next.isComplete(distances)) {
                    best.offer(next.towns(), next.total(distances));
                } else if (next.bound() < best.length()) {
                    longer.add(next);
                } else {
                    dropped++;
                }
            }
            extended++;
            pool.add(longer);
        }

        String summary() {
            return getName() + ": " + extended + " extended, " + dropped + " dropped, " + tried + " tried";
        }
    }

    /** A first tour: always on to the nearest town that was not visited. */
    static final class Greedy {
        private Greedy() {}

        static int[] tour(Distances distances) {
            int[] tour = new int[distances.towns()];
            int visited = 1;
            for (int i = 1; i < tour.length; i++) {
                tour[i] = nearest(distances, tour[i - 1], visited);
                visited |= 1 << tour[i];
            }
            return tour;
        }

        private static int nearest(Distances distances, int from, int visited) {
            int nearest = -1;
            for (int town = 0; town < distances.towns(); town++) {
                if ((visited & 1 << town) != 0) continue;
                if (nearest < 0 || distances.get(from, town) < distances.get(from, nearest)) {
                    nearest = town;
                }
            }
            return nearest;
        }
    }

    /** The shortest length by dynamic programming, to compare with: over sets of towns. */
    static final class Exact {
        private Exact() {}

        static int shortest(Distances distances) {
            int towns = distances.towns();
            int sets = 1 << towns;
            int[][] least = new int[sets][towns];
            for (int[] row : least) Arrays.fill(row, Integer.MAX_VALUE / 2);
            least[1][0] = 0;
            for (int set = 1; set < sets; set += 2) {
                for (int last = 0; last < towns; last++) {
                    if ((set & 1 << last) != 0) extend(distances, least, set, last);
                }
            }
            int shortest = Integer.MAX_VALUE;
            for (int last = 0; last < towns; last++) {
                shortest = Math.min(shortest, least[sets - 1][last] + distances.get(last, 0));
            }
            return shortest;
        }

        private static void extend(Distances distances, int[][] least, int set, int last) {
            for (int next = 0; next < distances.towns(); next++) {
                if ((set & 1 << next) != 0) continue;
                int longer = least[set][last] + distances.get(last, next);
                int[] row = least[set | 1 << next];
                row[next] = Math.min(row[next], longer);
            }
        }
    }

    /** Everything that a run is about. */
    static final class Options {
        int towns = 4;
        int workers = 2;
        int alone = 2;
        long seed = 1;
        Mistake mistake = Mistake.RIGHT;

        static Options parse(String[] args) {
            Options options = new Options();
            if (args.length > 0) options.towns = Integer.parseInt(args[0]);
            if (args.length > 1) options.workers = Integer.parseInt(args[1]);
            if (args.length > 2) options.alone = Integer.parseInt(args[2]);
            if (args.length > 3) options.seed = Long.parseLong(args[3]);
            for (Mistake mistake : Mistake.values()) {
                if (args.length > 4 && mistake.name().equalsIgnoreCase(args[4])) {
                    options.mistake = mistake;
                }
            }
            if (options.towns < 2 || options.towns > 20) {
                throw new IllegalArgumentException("between 2 and 20 towns");
            }
            return options;
        }
    }

    static void check(Distances distances, Best best) {
        int[] tour = best.tour();
        int visited = 0;
        for (int town : tour) visited |= 1 << town;
        assert visited == (1 << distances.towns()) - 1 : "towns are missing";
        assert distances.lengthOf(tour) == best.length() : "the length is that of another tour";
        assert best.length() == Exact.shortest(distances) : "there is a shorter one";
    }

    public static void main(String[] args) throws InterruptedException {
        Options options = Options.parse(args);
        Distances distances = Distances.random(options.towns, options.seed);
        int[] greedy = Greedy.tour(distances);
        // The first bound is worse than the tour, so that there is something to find.
        Best best = new Best(greedy, 2 * distances.lengthOf(greedy) + 1, options.mistake);
        Pool pool = new Pool(options.mistake);
        pool.add(List.of(Partial.start(distances)));
        Worker[] workers = new Worker[options.workers];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(i, distances, pool, best, options.alone);
        }
        for (Worker worker : workers) worker.start();
        for (Worker worker : workers) worker.join();
        assert pool.isOver();
        check(distances, best);
        for (Worker worker : workers) System.out.println(worker.summary());
        System.out.println(Arrays.toString(best.tour()) + " " + best.length() + ", pool " + pool.largest()
                + ", improved " + best.improvements());
    }
}
