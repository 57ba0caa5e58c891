// expect: holds
// A hidden class is in the package of the class that defines it, and its name has a slash.
import java.io.InputStream;
import java.lang.invoke.MethodHandles;

public class HiddenClass {
    static class Template {
        int five() {
            return 5;
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes;
        try (InputStream in = HiddenClass.class.getResourceAsStream("HiddenClass$Template.class")) {
            bytes = in.readAllBytes();
        }
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
        assert hidden.getName().contains("/");
        assert hidden.getPackageName().isEmpty();
        Thread other = new Thread(() -> {
            try {
                Object made = hidden.getDeclaredConstructor().newInstance();
                assert hidden.getDeclaredMethod("five").invoke(made).equals(5);
            } catch (ReflectiveOperationException wrong) {
                throw new AssertionError(wrong);
            }
        });
        other.start();
        other.join();
    }
}
