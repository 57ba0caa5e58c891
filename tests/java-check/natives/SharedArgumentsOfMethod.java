// expect: holds
// Method.invoke passes the arguments that it has checked, also if others write them meanwhile.
import java.lang.reflect.Method;

public class SharedArgumentsOfMethod {
    static final Object[] given = {1};

    public static void take(Integer number) {
        Object any = number;
        assert any instanceof Integer;
    }

    public static void main(String[] args) throws Exception {
        Method take = SharedArgumentsOfMethod.class.getMethod("take", Integer.class);
        Thread other = new Thread(() -> given[0] = "one");
        other.start();
        try {
            take.invoke(null, given);
        } catch (IllegalArgumentException e) {
            assert given[0] == "one";
        }
        other.join();
    }
}
