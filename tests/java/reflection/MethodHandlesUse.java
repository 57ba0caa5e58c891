import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/** The used part of method handles, and VarHandles on fields and arrays. */
public class MethodHandlesUse {
    int x = 5; volatile long v = 1; static int st = 3; private String s = "s";
    MethodHandlesUse() { } MethodHandlesUse(int x) { this.x = x; }
    int add(int y) { return x + y; } static String cat(String a, Object b) { return a + b; } private int hidden() { return -x; }
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle add = l.findVirtual(MethodHandlesUse.class, "add", MethodType.methodType(int.class, int.class));
        MethodHandle cat = l.findStatic(MethodHandlesUse.class, "cat", MethodType.methodType(String.class, String.class, Object.class));
        MethodHandle make = l.findConstructor(MethodHandlesUse.class, MethodType.methodType(void.class, int.class));
        MethodHandlesUse m = (MethodHandlesUse) make.invokeExact(7);
        System.out.println((int) add.invokeExact(m, 3) + " " + (String) cat.invokeExact("a", (Object) 1) + " " + add.invoke(m, (Integer) 4) + " " + cat.invokeWithArguments("x", 2.5) + " " + (long) (int) add.bindTo(m).invoke((short) 9));
        System.out.println(l.findGetter(MethodHandlesUse.class, "x", int.class).invoke(m) + " " + l.findSpecial(MethodHandlesUse.class, "hidden", MethodType.methodType(int.class), MethodHandlesUse.class).invoke(m) + " " + add.type() + " " + MethodHandles.insertArguments(cat, 0, "pre").invoke("post"));
        try { Object wrong = add.invokeExact(m, 3); } catch (java.lang.invoke.WrongMethodTypeException e) { System.out.println("wrong type"); }
        try { l.findVirtual(String.class, "nope", MethodType.methodType(void.class)); } catch (NoSuchMethodException e) { System.out.println("no such method"); }
        VarHandle x = l.findVarHandle(MethodHandlesUse.class, "x", int.class), v = l.findVarHandle(MethodHandlesUse.class, "v", long.class), st = l.findStaticVarHandle(MethodHandlesUse.class, "st", int.class), s = l.findVarHandle(MethodHandlesUse.class, "s", String.class), arr = MethodHandles.arrayElementVarHandle(int[].class), strs = MethodHandles.arrayElementVarHandle(String[].class);
        System.out.println((int) x.get(m) + " " + x.compareAndSet(m, 7, 8) + x.compareAndSet(m, 7, 9) + " " + (int) x.getAndAdd(m, 10) + " " + m.x + " " + (int) x.getVolatile(m) + " " + (int) x.getAndSet(m, 1) + (int) x.getAndBitwiseOr(m, 6) + m.x);
        v.setVolatile(m, 1L << 50); v.setRelease(m, (long) v.getAcquire(m) + 1);
        System.out.println((long) v.getAndAdd(m, -1L) + " " + (long) v.compareAndExchange(m, 5L, 6L) + " " + m.v);
        st.set(30); st.setOpaque((int) st.getOpaque() + 1);
        System.out.println(MethodHandlesUse.st + " " + (String) s.getAndSet(m, "t") + m.s + s.compareAndSet(m, "t", null) + m.s + s.weakCompareAndSetPlain(m, "zzz", "q"));
        int[] ints = {1, 2, 3};
        String[] ss = {"a", "b"};
        System.out.println((int) arr.getAndAdd(ints, 1, 40) + " " + ints[1] + " " + arr.compareAndSet(ints, 2, 3, 33) + ints[2] + " " + (String) strs.getAndSet(ss, 0, "z") + ss[0]);
        try { arr.set(ints, 3, 1); } catch (ArrayIndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        try { x.get((MethodHandlesUse) null); } catch (NullPointerException e) { System.out.println("null receiver"); }
        try { strs.set((Object[]) ss, 0, (Object) 5); } catch (ClassCastException e) { System.out.println("cast"); }
        System.out.println(x.varType() + " " + arr.coordinateTypes().size() + x.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD) + s.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD));
        VarHandle.fullFence();
    }
}
