// expect: assertion
// A join with a time limit may end before the thread.
public class JoinTimed {
    static volatile boolean isDone;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> isDone = true);
        other.start();
        other.join(100);
        assert isDone; // <- assertion
    }
}
