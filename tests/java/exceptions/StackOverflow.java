import java.util.ArrayList;
import java.util.List;

/** Unbounded recursion is an error that can be caught, again and again. */
public class StackOverflow {
    static int depth;
    static int finals;

    static int down(int n) { depth = n; return down(n + 1) + 1; }

    static void withFinally(int n) {
        try { withFinally(n + 1); } finally { finals++; }
    }

    int fact(int n) { return n * fact(n - 1); }
    final List<Object> list = new ArrayList<>();
    @Override public String toString() { return "x" + this.list; }

    static Object chain() { return new StackOverflow().indirect(); }
    Object indirect() { return chain(); }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            try {
                down(0);
            } catch (StackOverflowError e) {
                System.out.println(e.getMessage() + " " + (depth > 500) + " " + (e.getStackTrace().length <= 1024) + " " + e.getStackTrace()[5].getMethodName());
            }
        }
        try { withFinally(0); } catch (StackOverflowError e) { System.out.println("finals ran " + (finals > 100)); }
        try { new StackOverflow().fact(5); } catch (VirtualMachineError e) { System.out.println(e.getClass()); }
        try { chain(); } catch (Throwable e) { System.out.println(e); }
        StackOverflow s = new StackOverflow();
        s.list.add(s);
        try { s.toString(); } catch (StackOverflowError e) { System.out.println("toString recursed"); }
        System.out.println(new StackOverflow());
    }
}
