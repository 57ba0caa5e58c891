// expect: holds
// A party is registered before its thread starts.
import java.util.concurrent.Phaser;

public class PhaserRegistered {
    static volatile int done;

    public static void main(String[] args) {
        Phaser phaser = new Phaser(1);
        phaser.register();
        new Thread(() -> {
            done = 1;
            phaser.arriveAndDeregister();
        }).start();
        phaser.arriveAndAwaitAdvance();
        assert done == 1;
    }
}
