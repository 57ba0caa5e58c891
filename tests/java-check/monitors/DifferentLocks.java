// expect: assertion
// A static synchronized method and one of an instance do not exclude each other.
public class DifferentLocks {
    static int count;

    static synchronized void general() {
        count++;
    }

    synchronized void own() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        DifferentLocks it = new DifferentLocks();
        Thread other = new Thread(it::own);
        other.start();
        general();
        other.join();
        assert count == 2 : count; // <- assertion
    }
}
