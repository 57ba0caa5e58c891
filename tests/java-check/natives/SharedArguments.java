// expect: assertion
// invokeWithArguments reads an array of arguments that others may write.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

public class SharedArguments {
    static final Object[] given = {1};

    static int same(int number) {
        return number;
    }

    public static void main(String[] args) throws Throwable {
        MethodType type = MethodType.methodType(int.class, int.class);
        MethodHandle same = MethodHandles.lookup().findStatic(SharedArguments.class, "same", type);
        Thread other = new Thread(() -> given[0] = 2);
        other.start();
        int got = (Integer) same.invokeWithArguments(given);
        other.join();
        assert got == 1; // <- assertion
    }
}
