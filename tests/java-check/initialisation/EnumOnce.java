// expect: holds
// The constants of an enum are made once.
public class EnumOnce {
    enum Level {
        LOW, HIGH;

        static final int count = values().length;
    }

    public static void main(String[] args) throws InterruptedException {
        Object[] seen = new Object[1];
        Thread other = new Thread(() -> seen[0] = Level.HIGH);
        other.start();
        Object mine = Level.valueOf("HIGH");
        other.join();
        assert seen[0] == mine && Level.count == 2;
    }
}
