// expect: holds
// The class that both depend on is initialised first.
public class ClassCycleMended {
    static class Base {
        static final Object value = new Object();
    }

    static class One {
        static final Object other = Base.value;
    }

    static class Two {
        static final Object other = Base.value;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> System.out.println(Two.other != null));
        other.start();
        System.out.println(One.other != null);
        other.join();
    }
}
