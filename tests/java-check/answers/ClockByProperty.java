// expect: unknown
// A time decides which property is asked for.
public class ClockByProperty {
    public static void main(String[] args) {
        System.setProperty("asked1", "yes");
        long begin = System.nanoTime();
        String name = "asked" + Math.min(1, System.nanoTime() - begin);
        assert System.getProperty(name) == null;
    }
}
