// expect: unknown
// A time decides which class it is.
public class ClockByName {
    static class Now0 {
    }

    static class Now1 {
        public Now1() {
            throw new IllegalStateException();
        }
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        long begin = System.nanoTime();
        String name = "ClockByName$Now" + Math.min(1, System.nanoTime() - begin);
        Class.forName(name).getDeclaredConstructor().newInstance();
    }
}
