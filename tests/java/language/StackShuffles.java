/** Assignments as expressions on fields and arrays of every width: the dup family. */
public class StackShuffles {
    int i; long l; double d; float f; Object o;
    static int si; static long sl; static double sd;
    byte b; char c; short s; boolean z;

    StackShuffles self() { System.out.print("self "); return this; }
    static int index(int k) { System.out.print("i" + k + " "); return k; }

    public static void main(String[] args) {
        StackShuffles x = new StackShuffles();
        int i = x.self().i = si = 5;
        long l = x.self().l = sl = 6L;
        double d = x.self().d = sd = 7.5;
        float f = x.self().f = 8.25f;
        Object o = x.self().o = "object";
        System.out.println(i + " " + l + " " + d + " " + f + " " + o + " " + si + sl + sd);
        int[] is = new int[3];
        long[] ls = new long[3];
        double[] ds = new double[3];
        String[] os = new String[3];
        i = is[index(1)] = 11;
        l = ls[index(1)] = 12L;
        d = ds[index(1)] = 13.5;
        o = os[index(1)] = "fourteen";
        System.out.println(i + " " + l + " " + d + " " + o);
        System.out.println(is[index(1)]++ + " " + ++is[index(1)] + " " + ls[index(1)]++ + " " + --ls[index(1)] + " " + ds[index(1)]-- + " " + ds[1]);
        System.out.println(x.self().i++ + " " + x.self().l++ + " " + x.self().d++ + " " + x.self().f-- + " " + ++x.self().l);
        System.out.println(x.i + " " + x.l + " " + x.d + " " + x.f);
        System.out.println(si++ + sl++ + sd++ + " " + si + " " + sl + " " + sd);
        l = x.l += 10;
        d = x.d *= 2;
        System.out.println((ls[0] += 5) + (ls[0] *= 3) + " " + (ds[2] -= 1.5) + " " + l + " " + d);
        os[0] = "a";
        os[0] += os[0] += "b";
        System.out.println(os[0]);
        x.o = null;
        String t = (String) x.o;
        t += null;
        t += 'c';
        t += 1L;
        t += 2.0f;
        System.out.println(t);
        i = 3;
        i = i++ + ++i * i--;
        System.out.println(i);
        is[i = 0] = i = 2;
        System.out.println(is[0] + " " + i);
        System.out.println((x.b = (byte) 200) + " " + (x.s = (short) 70000) + " " + (x.c = 'q') + " " + (x.z = true));
        System.out.println(x.b++ + " " + x.s-- + " " + x.c++ + " " + (x.z ^= true) + x.b + x.s + x.c);
        Long boxed = 5L;
        long unboxed = boxed++ + ++boxed;
        System.out.println(unboxed + " " + boxed);
        Integer[] boxes = {1, 2};
        boxes[index(0)]++;
        boxes[index(1)] += 10;
        System.out.println(boxes[0] + " " + boxes[1]);
    }
}
