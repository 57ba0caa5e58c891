package gov.nasa.jpf.vm;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The part of Java PathFinder's interface that raddle knows, so that programs written for it
 * compile and run without it. The names and what they mean are Java PathFinder's.
 */
public final class Verify {
    private Verify() {}

    public static int getInt(int first, int last) {
        return ThreadLocalRandom.current().nextInt(first, last + 1);
    }

    public static int getIntFromList(int... values) {
        return values[ThreadLocalRandom.current().nextInt(values.length)];
    }

    public static long getLongFromList(long... values) {
        return values[ThreadLocalRandom.current().nextInt(values.length)];
    }

    public static float getFloatFromList(float... values) {
        return values[ThreadLocalRandom.current().nextInt(values.length)];
    }

    public static double getDoubleFromList(double... values) {
        return values[ThreadLocalRandom.current().nextInt(values.length)];
    }

    public static boolean getBoolean() {
        return ThreadLocalRandom.current().nextBoolean();
    }

    public static boolean getBoolean(boolean isFalseFirst) {
        return getBoolean();
    }

    public static int random(int last) {
        return ThreadLocalRandom.current().nextInt(last + 1);
    }

    public static boolean randomBool() {
        return getBoolean();
    }

    public static void ignoreIf(boolean condition) {
        if (condition) {
            System.exit(0);
        }
    }

    public static void assumeTrue(boolean condition) {
        ignoreIf(!condition);
    }

    public static void beginAtomic() {}

    public static void endAtomic() {}

    public static void breakTransition(String reason) {}

    public static void interesting(boolean condition) {}

    public static void boring(boolean condition) {}

    public static boolean isRunningInJPF() {
        return false;
    }

    public static void print(String text) {
        System.out.print(text);
    }

    public static void println(String text) {
        System.out.println(text);
    }

    public static void println() {
        System.out.println();
    }

    // Counters that outlive an execution; raddle gives up where they are used.

    public static int getCounter(int id) {
        return 0;
    }

    public static void resetCounter(int id) {}

    public static int incrementCounter(int id) {
        return 0;
    }
}
