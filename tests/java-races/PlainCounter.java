// expect: holds
// race: PlainCounter.value 10 read, 13 write
// race: PlainCounter.value 10 write, 13 read
// race: PlainCounter.value 10 write, 13 write
public class PlainCounter {
    static int value;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            value++;
        });
        other.start();
        value++;
        other.join();
    }
}
