// expect: holds
// What threads wrote is there when they were joined.
public class Joined {
    static int[] values = new int[2];

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int mine = i;
            threads[i] = new Thread(() -> values[mine] = mine + 1);
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        assert values[0] + values[1] == 3;
    }
}
