// expect: holds
// After a join with a time limit it is looked whether the thread has ended.
public class JoinTimedMended {
    static volatile boolean isDone;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> isDone = true);
        other.start();
        other.join(100);
        if (!other.isAlive()) {
            assert isDone;
        }
    }
}
