// expect: unknown
// A class that a loader of the program's own makes once more is another class.
import java.io.InputStream;

public class DefinedAgain {
    public static class Counter {
        static int count;

        public static int next() {
            return ++count;
        }
    }

    static class Own extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Exception {
        try (InputStream in = DefinedAgain.class.getResourceAsStream("DefinedAgain$Counter.class")) {
            Class<?> again = new Own().define(in.readAllBytes());
            Counter.next();
            assert (Integer) again.getMethod("next").invoke(null) == 1;
        }
    }
}
