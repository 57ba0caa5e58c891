// any: holds
public class WorkQueue {
    private int pending;
    private boolean closed;

    synchronized void add() {
        pending++;
        notify();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    synchronized boolean take() throws InterruptedException {
        while (pending == 0 && !closed) wait();
        if (pending == 0) return false;
        pending--;
        assert pending >= 0;
        return true;
    }

    static class Worker extends Thread {
        private final WorkQueue queue;

        Worker(WorkQueue queue) {
            this.queue = queue;
        }

        public void run() {
            try {
                while (queue.take()) Thread.yield();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) {
        WorkQueue queue = new WorkQueue();
        for (int i = 0; i < 2; i++) new Worker(queue).start();
        for (int i = 0; i < 4; i++) queue.add();
        queue.close();
    }
}
