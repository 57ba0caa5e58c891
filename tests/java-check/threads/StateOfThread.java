// expect: holds
// What another thread is doing can be asked for at any time: it is not NEW once it was started.
public class StateOfThread {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> { });
        other.start();
        Thread.State state = other.getState();
        assert state == Thread.State.RUNNABLE || state == Thread.State.TERMINATED;
        other.join();
    }
}
