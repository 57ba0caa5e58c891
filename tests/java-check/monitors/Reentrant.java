// expect: holds
// A thread takes a monitor that it has.
public class Reentrant {
    int value;

    synchronized void twice() {
        once();
        once();
    }

    synchronized void once() {
        value++;
    }

    public static void main(String[] args) throws InterruptedException {
        Reentrant it = new Reentrant();
        Thread other = new Thread(it::twice);
        other.start();
        it.twice();
        other.join();
        assert it.value == 4;
    }
}
