// expect: assertion
// Two fields that belong together are read without the lock under which they are written.
public class TornPair {
    static int low = 0, high = 0;

    static synchronized void shift(int by) {
        low += by;
        high += by;
    }

    public static void main(String[] args) {
        new Thread(() -> shift(1)).start();
        int seenLow = low, seenHigh = high;
        assert seenLow == seenHigh : seenLow + " " + seenHigh; // <- assertion
    }
}
