// expect: holds
// Only the loader of the class path, and those below it, see the classes of the program.
public class LoaderWithoutParent {
    static boolean finds(ClassLoader loader, String name) {
        try {
            return loader.loadClass(name) != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader orphan = new ClassLoader(null) {};
        assert !finds(orphan, "LoaderWithoutParent");
        assert finds(orphan, "java.util.ArrayList");
        assert finds(new ClassLoader() {}, "LoaderWithoutParent");
        assert !finds(new ClassLoader(orphan) {}, "LoaderWithoutParent");
        assert !finds(ClassLoader.getPlatformClassLoader(), "LoaderWithoutParent");
        try {
            Class.forName("LoaderWithoutParent", false, ClassLoader.getPlatformClassLoader());
            assert false;
        } catch (ClassNotFoundException e) {
            // As it should be.
        }
    }
}
