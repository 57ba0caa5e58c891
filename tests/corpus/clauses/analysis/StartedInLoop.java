// shares: count not guarded
/** The threads that a loop starts are several. */
public class StartedInLoop {
    static int count;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> { count++; }).start();
        }
    }
}
