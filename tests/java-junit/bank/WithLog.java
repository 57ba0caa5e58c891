package bank;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;

interface WithLog {
    List<String> log();

    @BeforeEach
    default void begin() {
        log().add("interface");
    }
}
