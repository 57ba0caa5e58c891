// expect: holds
public class StartJoin {
    static int value;

    public static void main(String[] args) throws InterruptedException {
        value = 1;
        Thread other = new Thread(() -> value++);
        other.start();
        other.join();
        assert value == 2;
    }
}
