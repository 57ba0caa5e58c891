// expect: assertion
// A thread for each processor; that two of them lose an update is so on some machine.
public class ThreadsForProcessors {
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Thread[] workers = new Thread[Runtime.getRuntime().availableProcessors()];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Thread(() -> count++);
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        assert count == workers.length; // <- assertion
    }
}
