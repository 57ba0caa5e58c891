// expect: assertion
// A party registers itself too late: the phase is over without it.
import java.util.concurrent.Phaser;

public class PhaserNotRegistered {
    static volatile int done;

    public static void main(String[] args) {
        Phaser phaser = new Phaser(1);
        new Thread(() -> {
            phaser.register();
            done = 1;
            phaser.arriveAndDeregister();
        }).start();
        phaser.arriveAndAwaitAdvance();
        assert done == 1; // <- assertion
    }
}
