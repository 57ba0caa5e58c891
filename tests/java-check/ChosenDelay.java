// expect: assertion
// Only one of the values that a thread may choose lets the update get lost unnoticed.
import raddle.Check;

public class ChosenDelay {
    static int balance = 10;

    public static void main(String[] arguments) throws InterruptedException {
        int first = Check.choose(3);
        boolean isDouble = Check.choose();
        Thread other = new Thread(() -> balance += Check.choose(2));
        other.start();
        balance += first;
        other.join();
        assert !(isDouble && first == 2 && balance == 11) : balance;
    }
}
