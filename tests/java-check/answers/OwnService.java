// expect: assertion
// The JDK has no provider for a service of the program: that is a true answer.
import java.util.ServiceLoader;

public class OwnService {
    interface Service { }

    public static void main(String[] args) {
        assert ServiceLoader.load(Service.class).findFirst().isEmpty();
        assert ServiceLoader.load(Service.class).findFirst().isPresent(); // <- assertion
    }
}
