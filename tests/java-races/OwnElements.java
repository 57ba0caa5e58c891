// expect: holds
public class OwnElements {
    static final int[] VALUES = new int[2];

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> VALUES[1]++);
        other.start();
        VALUES[0]++;
        other.join();
        assert VALUES[0] + VALUES[1] == 2;
    }
}
