// expect: assertion
// A reference that one thread clears while the other one uses it.
import java.lang.ref.WeakReference;

public class ReferenceCleared {
    public static void main(String[] args) {
        WeakReference<String> name = new WeakReference<>("x");
        new Thread(name::clear).start();
        assert name.get() != null; // <- assertion
    }
}
