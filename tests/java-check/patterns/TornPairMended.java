// expect: holds
// Two fields that belong together are one object that does not change.
public class TornPairMended {
    static final class Pair {
        final int low, high;

        Pair(int low, int high) {
            this.low = low;
            this.high = high;
        }
    }

    static volatile Pair pair = new Pair(0, 0);

    public static void main(String[] args) {
        new Thread(() -> pair = new Pair(1, 1)).start();
        Pair seen = pair;
        assert seen.low == seen.high;
    }
}
