/** Two classes that need each other before they are ready. */
final class Initialisers {
    static class Parent {
        static final Object DEFAULT = new Child();
    }

    static class Child extends Parent {
        static int made;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> Child.made = 1);
        other.start();
        Object first = Parent.DEFAULT;
        other.join();
        assert first != null;
    }
}
