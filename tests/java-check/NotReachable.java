// expect: unreachable
import raddle.Check;

public class NotReachable {
    static boolean isSet;

    public static void main(String[] arguments) {
        new Thread(() -> isSet = true).start();
        try {
            if (isSet) {
                Check.unreachable();
            }
        } catch (Throwable caught) {
            // Nobody catches this.
        }
    }
}
