// any: holds
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConnectionPool {
    static class Connections {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition returned = lock.newCondition();
        private int idle = 2;
        private int busy = 0;

        void borrow() throws InterruptedException {
            lock.lock();
            try {
                while (idle == 0) returned.await();
                idle--;
                busy++;
                assert busy <= 2;
            } finally {
                lock.unlock();
            }
        }

        void giveBack() {
            lock.lock();
            try {
                idle++;
                busy--;
                if (busy < 0) throw new IllegalStateException();
                returned.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    static class Client extends Thread {
        private final Connections connections;

        Client(Connections connections) {
            this.connections = connections;
        }

        @Override
        public void run() {
            try {
                while (true) {
                    connections.borrow();
                    connections.giveBack();
                }
            } catch (InterruptedException e) {
                System.err.println("interrupted");
            }
        }
    }

    public static void main(String[] args) {
        Connections connections = new Connections();
        for (int i = 0; i < 2; i++) new Client(connections).start();
    }
}
