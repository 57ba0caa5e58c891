// expect: assertion
import java.lang.reflect.Proxy;

public class Proxied {
    static int calls;

    public static void main(String[] args) throws InterruptedException {
        Runnable counted = (Runnable) Proxy.newProxyInstance(
                Proxied.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (proxy, method, given) -> {
                    calls++;
                    return null;
                });
        Thread other = new Thread(() -> counted.run());
        other.start();
        counted.run();
        other.join();
        assert calls == 2; // <- assertion
    }
}
