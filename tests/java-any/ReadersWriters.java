// any: holds
public class ReadersWriters {
    static class Room {
        volatile int readers;
        volatile boolean writing;

        synchronized void beginRead() throws InterruptedException {
            while (writing) wait();
            readers++;
        }

        synchronized void endRead() {
            readers--;
            notifyAll();
        }

        synchronized void beginWrite() throws InterruptedException {
            while (writing || readers > 0) wait();
            writing = true;
        }

        synchronized void endWrite() {
            writing = false;
            notifyAll();
        }
    }

    static class Reader extends Thread {
        private final Room room;

        Reader(Room room) {
            this.room = room;
        }

        public void run() {
            try {
                while (true) {
                    room.beginRead();
                    assert !room.writing;
                    room.endRead();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static class Writer extends Thread {
        private final Room room;

        Writer(Room room) {
            this.room = room;
        }

        public void run() {
            try {
                while (true) {
                    room.beginWrite();
                    assert room.readers == 0;
                    room.endWrite();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) {
        Room room = new Room();
        for (int i = 0; i < 2; i++) new Reader(room).start();
        for (int i = 0; i < 2; i++) new Writer(room).start();
    }
}
