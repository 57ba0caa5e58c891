// expect: unknown
// What a thread is doing can be asked for in `java`; here it is not supported.
public class StateOfThread {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> { });
        other.start();
        System.out.println(other.getState());
        other.join();
    }
}
