// any: holds
// The point of paper 003, figures 3.1 and 3.2.
public class Points {
    static class Point {
        private int x = 0;
        private int y = 0;

        public synchronized void incx() {
            x = x + 1;
            notifyAll();
        }

        public synchronized void decx() throws InterruptedException {
            while (x == 0) wait();
            x = x - 1;
            assert x >= 0;
        }

        public synchronized void incy() {
            y = y + 1;
            notifyAll();
        }

        public synchronized void decy() throws InterruptedException {
            while (y == 0) wait();
            y = y - 1;
            assert y >= 0;
        }
    }

    static class Inc extends Thread {
        private final Point p;

        Inc(Point p) {
            this.p = p;
        }

        private void incpoint() {
            p.incx();
            p.incy();
        }

        public void run() {
            while (true) incpoint();
        }
    }

    static class Dec extends Thread {
        private final Point p;

        Dec(Point p) {
            this.p = p;
        }

        private void decpoint() throws InterruptedException {
            p.decx();
            p.decy();
        }

        public void run() {
            try {
                while (true) decpoint();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        }
    }

    public static void main(String[] args) {
        Point p = new Point();
        for (int i = 0; i < 2; i++) new Inc(p).start();
        for (int i = 0; i < 2; i++) new Dec(p).start();
    }
}
