// expect: assertion
/** The end of the program does not hide what another thread can see before. */
public class ExitRace {
    static volatile int value;

    public static void main(String[] args) {
        new Thread(() -> {
            assert value != 1;
        }).start();
        value = 1;
        System.exit(0);
    }
}
