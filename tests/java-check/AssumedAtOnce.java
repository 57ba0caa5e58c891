// expect: exception
// A thread whose first assumption fails does not keep another one from failing before.
import raddle.Check;

public class AssumedAtOnce {
    public static void main(String[] arguments) {
        new Thread(() -> Check.assume(false)).start();
        throw new IllegalStateException();
    }
}
