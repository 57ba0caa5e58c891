// expect: deadlock
// Two classes initialise each other, begun by two threads.
public class ClassCycle {
    static class One {
        static final Object value = new Object();
        static final Object other = Two.value; // <- deadlock
    }

    static class Two {
        static final Object value = new Object();
        static final Object other = One.value; // <- deadlock
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> System.out.println(Two.value != null));
        other.start();
        System.out.println(One.value != null);
        other.join();
    }
}
