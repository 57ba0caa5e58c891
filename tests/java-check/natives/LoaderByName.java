// expect: assertion
// A loader of the program is asked for a class by Class.forName, and the class is initialised if that is wanted.
import java.util.Base64;

public class LoaderByName {
    /** A class other.Name with a counter that its method run counts up. */
    static final String BYTES = "yv66vgAAADcAHAoAAgADBwAEDAAFAAYBABBqYXZhL2xhbmcvT2JqZWN0AQAGPGluaXQ+AQADKClWCQAIAAkHAAoMAAsADAEACm90"
            + "aGVyL05hbWUBAARydW5zAQABSQgADgEABW90aGVyCAAQAQALaW5pdGlhbGlzZWQKABIAEwcAFAwAFQAWAQAQamF2YS9sYW5nL1N5"
            + "c3RlbQEAC3NldFByb3BlcnR5AQA4KExqYXZhL2xhbmcvU3RyaW5nO0xqYXZhL2xhbmcvU3RyaW5nOylMamF2YS9sYW5nL1N0cmlu"
            + "ZzsHABgBABJqYXZhL2xhbmcvUnVubmFibGUBAARDb2RlAQADcnVuAQAIPGNsaW5pdD4AIQAIAAIAAQAXAAEACQALAAwAAAADAAEA"
            + "BQAGAAEAGQAAABEAAQABAAAABSq3AAGxAAAAAAABABoABgABABkAAAAVAAIAAQAAAAmyAAcEYLMAB7EAAAAAAAgAGwAGAAEAGQAA"
            + "ABUAAgAAAAAACRINEg+4ABFXsQAAAAAAAA==";

    static class Own extends ClassLoader {
        int asked;

        Own() {
            super(LoaderByName.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.equals("other.Name")) {
                throw new ClassNotFoundException(name);
            }
            asked++;
            byte[] bytes = Base64.getDecoder().decode(BYTES);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Exception {
        Own loader = new Own();
        Class<?> found = Class.forName("other.Name", false, loader);
        assert System.getProperty("other") == null;
        assert Class.forName("other.Name", true, loader) == found && loader.asked == 1;
        assert System.getProperty("other").equals("initialised");
        assert found.getClassLoader() == loader;
        for (ClassLoader one : new ClassLoader[] {loader, LoaderByName.class.getClassLoader()}) {
            String name = one == loader ? "nobody.Knows" : "other.Name";
            try {
                Class.forName(name, true, one);
                throw new IllegalStateException();
            } catch (ClassNotFoundException expected) {
                assert expected.getMessage().equals(name);
            }
        }
        Runnable task = (Runnable) found.getDeclaredConstructor().newInstance();
        Thread other = new Thread(task);
        other.start();
        task.run();
        other.join();
        assert found.getField("runs").getInt(null) == 2; // <- assertion
    }
}
