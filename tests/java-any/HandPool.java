// any: holds
public class HandPool {
    static class Tasks {
        private int queued;
        private int running;
        private int done;
        private boolean stopped;

        synchronized void submit() {
            queued++;
            notify();
        }

        synchronized boolean begin() throws InterruptedException {
            while (queued == 0 && !stopped) wait();
            if (queued == 0) return false;
            queued--;
            running++;
            return true;
        }

        synchronized void end() {
            running--;
            done++;
            assert running >= 0;
            assert queued >= 0;
        }

        synchronized void stop() {
            stopped = true;
            notifyAll();
        }
    }

    static class Worker extends Thread {
        private final Tasks tasks;

        Worker(Tasks tasks) {
            this.tasks = tasks;
        }

        @Override
        public void run() {
            try {
                while (tasks.begin()) tasks.end();
            } catch (InterruptedException e) {
                Thread.currentThread().getName();
            }
        }
    }

    public static void main(String[] args) {
        Tasks tasks = new Tasks();
        for (int i = 0; i < 2; i++) new Worker(tasks).start();
        tasks.submit();
        tasks.submit();
        tasks.stop();
    }
}
