// expect: holds
// Threads that write different elements of an array do not disturb each other.
public class ArrayElements {
    public static void main(String[] args) throws InterruptedException {
        int[] parts = new int[2];
        Thread other = new Thread(() -> {
            for (int i = 0; i < 3; i++) parts[1] += i;
        });
        other.start();
        for (int i = 0; i < 3; i++) parts[0] += i;
        other.join();
        assert parts[0] + parts[1] == 6;
    }
}
