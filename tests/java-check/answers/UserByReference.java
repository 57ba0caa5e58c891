// expect: unknown
// The program asks by a reference to the method.
import java.util.stream.Stream;

public class UserByReference {
    public static void main(String[] args) {
        assert Stream.of("user.home").map(System::getProperty).allMatch("/home/alice"::equals);
    }
}
