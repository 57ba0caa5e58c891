package raddle;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a program can say to raddle. Under {@code raddle check} every choice is tried; under plain
 * {@code java} one execution is made, by chance.
 */
public final class Check {
    private Check() {}

    /** A number from 0 to {@code count - 1}. */
    public static int choose(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("no choice among " + count);
        }
        return ThreadLocalRandom.current().nextInt(count);
    }

    /** Yes or no. */
    public static boolean choose() {
        return ThreadLocalRandom.current().nextBoolean();
    }

    /** An execution in which the condition is false does not count from here on: it ends. */
    public static void assume(boolean condition) {
        if (!condition) {
            System.exit(0);
        }
    }

    /**
     * Runs an action in one step, as if the other threads stood still. Where it has to wait for
     * one of them, they go on.
     */
    public static void atomic(Runnable action) {
        begin();
        try {
            action.run();
        } finally {
            end();
        }
    }

    /** Getting here is a mistake. */
    public static void unreachable() {
        throw new AssertionError("unreachable");
    }

    private static void begin() {
        Global.LOCK.lock();
    }

    private static void end() {
        Global.LOCK.unlock();
    }

    /** Plain Java has no better way to keep the others out. */
    private static final class Global {
        static final ReentrantLock LOCK = new ReentrantLock();
    }
}
