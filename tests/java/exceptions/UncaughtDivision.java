//@ exit: 1
/** A run-time exception in a nested call, uncaught. */
public class UncaughtDivision {
    int[] values = {4, 2, 0};

    int next(int index) {
        return 100 /
            values[index];
    }

    public static void main(String[] args) {
        UncaughtDivision d = new UncaughtDivision();
        for (int i = 0; i < 5; i++) {
            System.out.println(d.next(i));
        }
    }
}
