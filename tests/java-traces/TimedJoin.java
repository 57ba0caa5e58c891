// expect: assertion
public class TimedJoin {
    static volatile boolean done;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> done = true);
        other.start();
        other.join(100);
        assert done : "the join timed out";
    }
}
