/** An exception in another thread is printed; the program goes on and ends with status 0. */
public class UncaughtInThread {
    static void deeper() {
        throw new IllegalArgumentException("from the worker");
    }
    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread("worker") {
            @Override public void run() {
                deeper();
            }
        };
        t.start();
        t.join();
        System.out.println("main goes on, " + t.getState());
    }
}
