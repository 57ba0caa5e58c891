// expect: holds
// race: PlainFlag.ready 8 write, 11 read
public class PlainFlag {
    static boolean ready;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            ready = true;
        });
        other.start();
        while (!ready) {
            Thread.onSpinWait();
        }
    }
}
