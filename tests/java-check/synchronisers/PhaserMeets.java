// expect: holds
// Two parties of a phaser meet.
import java.util.concurrent.Phaser;

public class PhaserMeets {
    static int left, right;

    public static void main(String[] args) {
        Phaser phaser = new Phaser(2);
        new Thread(() -> {
            left = 1;
            phaser.arriveAndAwaitAdvance();
            assert right == 1;
        }).start();
        right = 1;
        phaser.arriveAndAwaitAdvance();
        assert left == 1;
    }
}
