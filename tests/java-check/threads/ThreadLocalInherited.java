// expect: holds
// An inheritable ThreadLocal is copied when a thread is made.
public class ThreadLocalInherited {
    static final InheritableThreadLocal<String> name = new InheritableThreadLocal<>();

    public static void main(String[] args) throws InterruptedException {
        name.set("first");
        Thread other = new Thread(() -> {
            assert name.get().equals("first");
        });
        name.set("second");
        other.start();
        other.join();
    }
}
