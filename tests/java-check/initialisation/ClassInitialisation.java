// expect: deadlock
// The initialisers of two classes call each other.
public class ClassInitialisation {
    static class A {
        static int value = B.value + 1; // <- deadlock
    }

    static class B {
        static int value = other();

        static int other() {
            return A.value + 1; // <- deadlock
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> System.out.println(B.value));
        other.start();
        System.out.println(A.value);
        other.join();
    }
}
