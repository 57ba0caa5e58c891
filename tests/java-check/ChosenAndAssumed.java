// expect: holds
import raddle.Check;

public class ChosenAndAssumed {
    static int last;

    public static void main(String[] arguments) throws InterruptedException {
        int low = Check.choose(4);
        int high = Check.choose(4);
        Check.assume(low < high);
        Thread other = new Thread(() -> last = low);
        other.start();
        other.join();
        assert last + 1 <= high;
        if (last == high) {
            Check.unreachable();
        }
    }
}
