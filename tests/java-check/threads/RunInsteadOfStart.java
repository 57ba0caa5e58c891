// expect: holds
// run is a call like any other: there is no second thread.
public class RunInsteadOfStart {
    static int count;

    public static void main(String[] args) {
        Thread other = new Thread(() -> count++);
        other.run();
        count++;
        assert count == 2 && !other.isAlive();
    }
}
