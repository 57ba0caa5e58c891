/** Loading by name, instances by reflection, interfaces found at run time, stack walking. */
public class Loading {
    public interface Plugin { String run(String s); } public static class Upper implements Plugin { public String run(String s) { return s.toUpperCase(); } } public static class Twice implements Plugin { public String run(String s) { return s + s; } } public static class NotPlugin { }
    static String caller() { return StackWalker.getInstance().walk(s -> s.skip(1).findFirst().get().getMethodName()); }
    static String indirect() { return caller(); }
    public static void main(String[] args) throws Exception {
        String s = "ab";
        for (String n : "Upper Twice NotPlugin Missing".split(" ")) try { s = Class.forName("Loading$" + n).asSubclass(Plugin.class).getDeclaredConstructor().newInstance().run(s); System.out.println(s); } catch (ClassNotFoundException e) { System.out.println("missing " + e.getMessage()); } catch (ClassCastException e) { System.out.println(e.getMessage()); }
        System.out.println(caller() + " " + indirect() + " " + Loading.class.getClassLoader().loadClass("Loading$Upper").getSimpleName() + Thread.currentThread().getContextClassLoader().equals(Loading.class.getClassLoader()));
    }
}
