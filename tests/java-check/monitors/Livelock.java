// expect: holds
// Two polite threads may give way to each other for ever, which is no violation.
public class Livelock {
    static volatile boolean wantsFirst, wantsSecond;

    public static void main(String[] args) {
        new Thread(() -> {
            wantsSecond = true;
            while (wantsFirst) {
                wantsSecond = false;
                wantsSecond = true;
            }
            wantsSecond = false;
        }).start();
        wantsFirst = true;
        while (wantsSecond) {
            wantsFirst = false;
            wantsFirst = true;
        }
        wantsFirst = false;
    }
}
