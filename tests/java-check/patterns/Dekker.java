// expect: holds
// Dekker's flags with volatile fields: at most one thread goes in.
public class Dekker {
    static volatile boolean first, second;
    static int inside;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            second = true;
            if (!first) {
                inside++;
                assert inside == 1;
                inside--;
            }
        });
        other.start();
        first = true;
        if (!second) {
            inside++;
            assert inside == 1;
            inside--;
        }
        other.join();
    }
}
