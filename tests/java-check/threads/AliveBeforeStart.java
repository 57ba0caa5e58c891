// expect: assertion
// A thread that somebody else starts may be alive.
public class AliveBeforeStart {
    public static void main(String[] args) {
        Thread late = new Thread(() -> { });
        new Thread(late::start).start();
        assert !late.isAlive(); // <- assertion
    }
}
