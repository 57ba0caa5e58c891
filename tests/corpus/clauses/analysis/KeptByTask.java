// shares: count not guarded
/** What a task keeps can be reached from its thread. */
public class KeptByTask {
    int count;

    public static void main(String[] args) {
        KeptByTask it = new KeptByTask();
        new Thread(() -> { it.count++; }).start();
        it.count++;
    }
}
