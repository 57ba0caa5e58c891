// expect: holds
/** Each thread has its element of an array, and main has all when they have ended. */
public class ElementOfEach {
    public static void main(String[] args) throws Exception {
        int[] results = new int[2];
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 3; j++) {
                    results[me] += j;
                }
            });
            threads[i].start();
        }
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            threads[i].join();
            sum += results[i];
        }
        assert sum == 6;
    }
}
