/*PACKAGE*/

import java.util.Arrays;

/**
 * Runs operations of a data structure: in threads at the same time, and compares the results with
 * those of the orders in its arguments; or one after the other, in an order that is given.
 */
@SuppressWarnings({"rawtypes", "unchecked", "removal", "deprecation"})
public final class RaddleScenario {
    /** A call that gives something. */
    interface Value {
        Object get() throws Throwable;
    }

    /** A call that gives nothing. */
    interface Effect {
        void run() throws Throwable;
    }

    private static final Object NOTHING = new Object();

    private static Value call(Value value) {
        return value;
    }

    private static Value call(Effect effect) {
        return () -> {
            effect.run();
            return NOTHING;
        };
    }

    /** What calls are called. */
    private static final String[] CALLS = {
/*NAMES*/
    };

    private static Value operation(/*CLASS*/ it, int number) {
        switch (number) {
/*OPERATIONS*/
        }
        throw new IllegalArgumentException();
    }

    private static void validate(/*CLASS*/ it) throws Throwable {
/*VALIDATIONS*/
    }

    /** What a call has thrown. */
    private static final class Failure {
        final Throwable thrown;

        Failure(Throwable thrown) {
            this.thrown = thrown;
        }
    }

    /** Calls operations one after the other. */
    private static class Party extends Thread {
        final Value[] operations;
        final Object[] results;
        /** For each operation, how many of each thread had returned before it began. */
        final int[][] before;
        final int number;
        Party[] all;
        Turns turns;
        volatile int returned;

        Party(int number, Value[] operations, int parties) {
            super("thread " + (number + 1));
            this.number = number;
            this.operations = operations;
            results = new Object[operations.length];
            before = new int[operations.length][parties];
        }

        @Override
        public void run() {
            for (int index = 0; index < operations.length; index++) {
                if (turns != null) turns.await(number);
                else for (Party other : all) if (other != this) before[index][other.number] = other.returned;
                results[index] = result(operations[index]);
                if (turns != null) turns.next();
                else returned = index + 1;
            }
        }

        static Object result(Value operation) {
            try {
                return operation.get();
            } catch (Throwable thrown) {
                return new Failure(thrown);
            }
        }

        void runAlone() {
            for (int index = 0; index < operations.length; index++) results[index] = result(operations[index]);
        }
    }

    /** Whose turn it is. */
    private static final class Turns {
        final int[] order;
        int now;

        Turns(int[] order) {
            this.order = order;
        }

        synchronized void await(int number) {
            try {
                while (order[now] != number) wait();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }

        synchronized void next() {
            now++;
            notifyAll();
        }
    }

    public static void main(String[] arguments) throws Throwable {
        String[] parts = arguments[0].split("/", -1);
        /*CLASS*/ it = /*CREATE*/;
        Party first = new Party(-1, operations(it, parts[0]), 0);
        Party last = new Party(-1, operations(it, parts[parts.length - 1]), 0);
        Party[] threads = new Party[parts.length - 2];
        for (int index = 0; index < threads.length; index++) {
            threads[index] = new Party(index, operations(it, parts[index + 1]), threads.length);
            threads[index].all = threads;
        }
        boolean inTurns = arguments[1].equals("order");
        Turns turns = inTurns ? new Turns(numbers(arguments[2])) : null;
        Orders orders = inTurns ? null : new Orders(arguments);
        for (Party thread : threads) thread.turns = turns;
        first.runAlone();
        raddle.Check.atomic(() -> {
            for (Party thread : threads) thread.start();
        });
        for (Party thread : threads) thread.join();
        last.runAlone();
        String[] results = results(first, threads, last);
        if (inTurns) {
            for (String result : results) System.out.println(oneLine(result));
            return;
        }
        if (!orders.explain(results, threads)) throw new AssertionError(told(parts, results));
        validate(it);
    }

    private static Value[] operations(/*CLASS*/ it, String numbers) {
        int[] all = numbers(numbers);
        Value[] operations = new Value[all.length];
        for (int index = 0; index < all.length; index++) operations[index] = operation(it, all[index]);
        return operations;
    }

    private static int[] numbers(String text) {
        if (text.isEmpty()) return new int[0];
        String[] words = text.split(" ");
        int[] numbers = new int[words.length];
        for (int index = 0; index < words.length; index++) numbers[index] = Integer.parseInt(words[index]);
        return numbers;
    }

    /** The results of all operations, in the order in which the scenario names them. */
    private static String[] results(Party first, Party[] threads, Party last) {
        int count = first.results.length + last.results.length;
        for (Party thread : threads) count += thread.results.length;
        String[] all = new String[count];
        int at = add(first, all, 0);
        for (Party thread : threads) at = add(thread, all, at);
        add(last, all, at);
        return all;
    }

    private static int add(Party party, String[] all, int at) {
        for (Object result : party.results) all[at++] = shown(result);
        return at;
    }

    private static String shown(Object result) {
        if (result == NOTHING) return "void";
        if (result instanceof Failure) return "throws " + ((Failure) result).thrown.getClass().getSimpleName();
        if (result instanceof String) return "\"" + result + "\"";
        if (result instanceof Object[]) return Arrays.deepToString((Object[]) result);
        if (result instanceof int[]) return Arrays.toString((int[]) result);
        if (result instanceof long[]) return Arrays.toString((long[]) result);
        if (result instanceof boolean[]) return Arrays.toString((boolean[]) result);
        if (result == null) return "null";
        String text = result.toString();
        // Nothing but its identity is known of it.
        if (text.equals(result.getClass().getName() + "@" + Integer.toHexString(result.hashCode()))) {
            return result.getClass().getSimpleName() + "@";
        }
        return text;
    }

    /**
     * The orders in which the operations of threads can be made one after the other, and what they give
     * then: so many texts, and for each order its threads and the numbers of the texts of all results.
     */
    private static final class Orders {
        final String[] texts;
        final int[][] orders;

        Orders(String[] arguments) {
            int count = Integer.parseInt(arguments[2]);
            texts = Arrays.copyOfRange(arguments, 3, 3 + count);
            orders = new int[arguments.length - 3 - count][];
            for (int index = 0; index < orders.length; index++) orders[index] = numbers(arguments[3 + count + index]);
        }

        /**
         * Whether one of the orders has these results, and no operation in it comes before one that
         * had returned when it began.
         */
        boolean explain(String[] results, Party[] threads) {
            int[] known = new int[results.length];
            for (int index = 0; index < results.length; index++) {
                known[index] = Arrays.asList(texts).indexOf(results[index]);
                if (known[index] < 0) return false;
            }
            for (int index = 0; index + 1 < orders.length; index += 2) {
                if (Arrays.equals(orders[index + 1], known) && isPossible(orders[index], threads)) return true;
            }
            return false;
        }

        private static boolean isPossible(int[] order, Party[] threads) {
            int[] made = new int[threads.length];
            for (int thread : order) {
                int[] before = threads[thread].before[made[thread]];
                for (int other = 0; other < made.length; other++) if (made[other] < before[other]) return false;
                made[thread]++;
            }
            return true;
        }
    }

    /** Which operations gave what. */
    private static String told(String[] parts, String[] results) {
        StringBuilder all = new StringBuilder("not linearizable: ");
        int at = 0;
        for (int part = 0; part < parts.length; part++) {
            String who = part == 0 ? "before: " : part == parts.length - 1 ? "after: " : "thread " + part + ": ";
            for (int call : numbers(parts[part])) {
                String result = results[at++];
                all.append(at == 1 ? "" : "; ").append(who).append(CALLS[call]);
                if (result.startsWith("throws ")) all.append(' ').append(result);
                else if (!result.equals("void")) all.append(" = ").append(oneLine(result));
                who = "";
            }
        }
        return all.toString();
    }

    private static String oneLine(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace(";", "\\,");
    }
}
