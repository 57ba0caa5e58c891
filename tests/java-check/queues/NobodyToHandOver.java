// expect: deadlock
// A synchronous queue keeps nothing: whoever puts waits for whoever takes.
import java.util.concurrent.SynchronousQueue;

public class NobodyToHandOver {
    public static void main(String[] args) throws InterruptedException {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        new Thread(() -> queue.poll()).start();
        queue.put(1); // <- deadlock
    }
}
