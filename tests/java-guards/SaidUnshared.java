// expect: discipline
import raddle.Unshared;

/** An object that is said to be for one thread, and is not. */
public class SaidUnshared {
    @Unshared
    static class Notes {
        int count;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Notes notes = new Notes();
        Thread other = new Thread(() -> notes.count++);
        other.start();
        notes.count++;
        other.join();
    }
}
