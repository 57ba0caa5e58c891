// expect: deadlock
// A phaser waits for a party that never arrives.
import java.util.concurrent.Phaser;

public class PhaserTooFew {
    public static void main(String[] args) {
        Phaser phaser = new Phaser(3);
        new Thread(phaser::arrive).start();
        phaser.arriveAndAwaitAdvance(); // <- deadlock
    }
}
