// expect: holds
// A thread is NEW before it starts, and TERMINATED after it was joined.
public class StateBeforeStart {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> { });
        assert other.getState() == Thread.State.NEW;
        other.start();
        other.join();
        assert other.getState() == Thread.State.TERMINATED;
    }
}
