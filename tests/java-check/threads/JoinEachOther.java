// expect: deadlock
// Two threads join each other.
public class JoinEachOther {
    public static void main(String[] args) throws InterruptedException {
        Thread main = Thread.currentThread();
        Thread other = new Thread(() -> {
            try {
                main.join(); // <- deadlock
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        other.join(); // <- deadlock
    }
}
