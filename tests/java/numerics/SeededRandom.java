import java.util.Random;
import java.util.SplittableRandom;

/** Random with a seed gives the documented sequence. */
public class SeededRandom {
    public static void main(String[] args) {
        Random r = new Random(42);
        System.out.println(r.nextInt() + " " + r.nextInt(10) + " " + r.nextInt(64) + " " + r.nextLong() + " " + r.nextBoolean() + " " + r.nextDouble() + " " + r.nextFloat() + " " + r.nextInt(1 << 30) + " " + r.nextInt((1 << 30) + 1));
        byte[] bytes = new byte[7];
        r.nextBytes(bytes);
        System.out.println(java.util.Arrays.toString(bytes));
        r.setSeed(1);
        long sum = 0;
        for (int i = 0; i < 1000; i++) sum += r.nextInt(i + 1);
        System.out.println(sum);
        r.setSeed(7);
        System.out.println((float) r.nextGaussian() + " " + r.ints(5, 0, 100).boxed().toList() + " " + r.doubles(2).sum() + " " + r.longs(3, -5, 5).sum());
        java.util.List<Integer> list = new java.util.ArrayList<>(java.util.stream.IntStream.range(0, 12).boxed().toList());
        java.util.Collections.shuffle(list, new Random(3));
        System.out.println(list);
        SplittableRandom s = new SplittableRandom(5);
        System.out.println(s.nextInt() + " " + s.nextInt(5, 9) + " " + s.split().nextLong() + " " + s.nextDouble());
        Random sub = new Random(9) { @Override protected int next(int bits) { return 12345 >>> (32 - bits) | super.next(bits) & 1; } };
        System.out.println(sub.nextInt() + " " + sub.nextInt(100));
        int[] histogram = new int[6];
        for (int i = 0; i < 6000; i++) histogram[r.nextInt(6)]++;
        System.out.println(java.util.Arrays.toString(histogram));
        try { r.nextInt(0); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        System.out.println(new Random(Long.MIN_VALUE).nextLong() + " " + new Random(-1).nextInt(3, 7));
    }
}
