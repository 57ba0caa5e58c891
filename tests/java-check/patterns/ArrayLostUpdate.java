// expect: assertion
// Two threads add to the same element of an array.
public class ArrayLostUpdate {
    public static void main(String[] args) throws InterruptedException {
        long[] sum = new long[1];
        Thread other = new Thread(() -> sum[0] += 2);
        other.start();
        sum[0] += 1;
        other.join();
        assert sum[0] == 3 : sum[0]; // <- assertion
    }
}
