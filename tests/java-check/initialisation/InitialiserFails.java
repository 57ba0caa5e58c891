// expect: exception
// Whoever comes second finds a class that could not be initialised.
public class InitialiserFails {
    static class Broken {
        static final int value = Integer.parseInt("x");
    }

    static void use() {
        try {
            System.out.println(Broken.value); // <- exception
        } catch (ExceptionInInitializerError e) {
            // Expected, once.
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(InitialiserFails::use);
        other.start();
        use();
        other.join();
    }
}
