// expect: exception
public class Initialiser {
    static class Inner {
        static final int VALUE = value();

        static int value() {
            throw new RuntimeException("why", new IllegalStateException("the real cause"));
        }
    }

    public static void main(String[] args) {
        System.out.println(Inner.VALUE);
    }
}
