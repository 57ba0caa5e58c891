// expect: assertion
// What was seen before an assumption failed was seen.
import raddle.Check;

public class AssumedAfterwards {
    static volatile int shown;

    public static void main(String[] arguments) {
        new Thread(() -> {
            shown = 1;
            Check.assume(false);
        }).start();
        assert shown == 0;
    }
}
