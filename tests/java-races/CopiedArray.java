// expect: holds
// race: an element of int[] 8 write, 12 read
public class CopiedArray {
    static final int[] VALUES = {1, 2, 3};

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            VALUES[2] = 5;
        });
        other.start();
        int[] copy = new int[3];
        System.arraycopy(VALUES, 0, copy, 0, 3);
        assert copy[0] == 1;
    }
}
