// expect: holds
// Two classes of the same name, in executions of their own, are two classes.
// slow
import java.lang.reflect.Proxy;

public class TwoProxies {
    interface First {
        int first();
    }

    interface Second {
        int second();
    }

    static synchronized Object proxy(Class<?> of) {
        ClassLoader loader = TwoProxies.class.getClassLoader();
        return Proxy.newProxyInstance(loader, new Class<?>[] {of}, (it, method, given) -> 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            First it = (First) proxy(First.class);
            assert it.first() == 1;
        });
        other.start();
        Second it = (Second) proxy(Second.class);
        assert it.second() == 1;
        other.join();
    }
}
