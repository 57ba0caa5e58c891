// expect: unknown
// A loader of the program's own may find classes wherever it likes, but they must be called as they were asked for.
public class ForNameByOwnLoader {
    static class Own extends ClassLoader {
        Own() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) {
            return ForNameByOwnLoader.class;
        }
    }

    public static void main(String[] args) throws Exception {
        assert Class.forName("Anything", false, new Own()) == ForNameByOwnLoader.class;
    }
}
