// flags: --class Validated --size 2x1 --before 0 --after 0
// violated: the sum is wrong
public class Validated {
    private volatile int added;
    private volatile int sum;

    @raddle.Operation
    public void add() {
        added = added + 1;
        synchronized (this) {
            sum = sum + 1;
        }
    }

    @raddle.Validate
    public void isRight() {
        if (added != sum) throw new IllegalStateException("the sum is wrong");
    }
}
