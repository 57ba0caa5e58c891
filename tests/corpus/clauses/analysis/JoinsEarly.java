// shares: count not guarded
/** Who waits for a thread that another one starts later does not wait. */
public class JoinsEarly {
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Thread late = new Thread(() -> { count++; });
        new Thread(late::start).start();
        late.join();
        count++;
    }
}
