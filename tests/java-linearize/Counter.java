// flags: --class Counter
// violated: thread 1: increment() = 1; thread 2: increment() = 1
public class Counter {
    private int value;

    @raddle.Operation
    public int increment() {
        return ++value;
    }
}
