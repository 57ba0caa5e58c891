// expect: holds
public class Synchronized {
    private int value;

    synchronized void add() {
        value++;
    }

    synchronized int get() {
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        Synchronized counter = new Synchronized();
        Thread other = new Thread(counter::add);
        other.start();
        counter.add();
        assert counter.get() > 0;
    }
}
