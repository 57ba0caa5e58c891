// expect: unknown
// Services that the JDK provides itself are not there.
import java.util.spi.ToolProvider;

public class ToolOfTheJdk {
    public static void main(String[] args) {
        assert ToolProvider.findFirst("jar").isPresent();
    }
}
