package org.sosy_lab.sv_benchmarks;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The interface of the Java programs of the Competition on Software Verification, so that they
 * compile and run by themselves. The names and what they mean are the competition's.
 */
public final class Verifier {
    private Verifier() {}

    public static void assume(boolean condition) {
        if (!condition) {
            Runtime.getRuntime().halt(1);
        }
    }

    public static boolean nondetBoolean() {
        return ThreadLocalRandom.current().nextBoolean();
    }

    public static byte nondetByte() {
        return (byte) nondetInt();
    }

    public static char nondetChar() {
        return (char) nondetInt();
    }

    public static short nondetShort() {
        return (short) nondetInt();
    }

    public static int nondetInt() {
        return ThreadLocalRandom.current().nextInt();
    }

    public static long nondetLong() {
        return ThreadLocalRandom.current().nextLong();
    }

    public static float nondetFloat() {
        return Float.intBitsToFloat(nondetInt());
    }

    public static double nondetDouble() {
        return Double.longBitsToDouble(nondetLong());
    }

    public static String nondetString() {
        StringBuilder text = new StringBuilder();
        while (nondetBoolean()) {
            text.append(nondetChar());
        }
        return text.toString();
    }
}
