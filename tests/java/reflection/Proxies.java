import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Dynamic proxies of interfaces. */
public class Proxies {
    interface Calc { int add(int a, int b); default int twice(int x) { return add(x, x); } String name(); void nothing(); long wide(double d, byte b); int fail() throws java.io.IOException; }
    interface Extra { Object extra(Object... os); }
    public static void main(String[] args) throws Exception {
        List<String> log = new ArrayList<>();
        InvocationHandler h = (p, m, a) -> {
            log.add(m.getName() + (a == null ? 0 : a.length));
            switch (m.getName()) {
                case "add": return (int) a[0] + (int) a[1];
                case "name": return "proxy";
                case "wide": return (long) ((double) a[0] * (byte) a[1]);
                case "nothing": return null;
                case "twice": return InvocationHandler.invokeDefault(p, m, a);
                case "fail": throw new java.io.IOException("declared");
                case "extra": return a[0];
                case "toString": return "P!";
                case "hashCode": return 42;
                case "equals": return p == a[0];
                default: throw new AssertionError(m);
            }
        };
        Object o = Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {Calc.class, Extra.class}, h);
        Calc c = (Calc) o;
        c.nothing();
        System.out.println(c.add(2, 3) + " " + c.name() + " " + c.wide(2.5, (byte) 4) + " " + c + " " + c.hashCode() + " " + c.equals(c) + c.equals("x") + " " + ((Object[]) ((Extra) o).extra(1, 2)).length);
        try { c.fail(); } catch (java.io.IOException e) { System.out.println(e.getMessage()); }
        System.out.println(log + " " + Proxy.isProxyClass(o.getClass()) + " " + (o instanceof Extra) + " " + (Proxy.getInvocationHandler(o) == h));
        Comparator<String> cmp = (Comparator<String>) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {Comparator.class}, (p, m, a) -> ((String) a[0]).length() - ((String) a[1]).length());
        List<String> l = new ArrayList<>(List.of("ccc", "a", "bb"));
        l.sort(cmp);
        System.out.println(l);
        Calc bad = (Calc) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {Calc.class}, (p, m, a) -> { if (m.getName().equals("name")) throw new Exception("checked"); return m.getReturnType() == int.class ? null : "wrong"; });
        try { bad.name(); } catch (UndeclaredThrowableException e) { System.out.println(e.getCause().getMessage()); }
        try { bad.add(1, 2); } catch (NullPointerException e) { System.out.println("null for int"); }
        try { bad.wide(1, (byte) 1); } catch (ClassCastException e) { System.out.println("wrong class"); }
    }
}
