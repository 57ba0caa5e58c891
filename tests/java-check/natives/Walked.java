// expect: holds
// A thread looks at its own stack, which is nobody else's business.
public class Walked {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> { });
        other.start();
        assert StackWalker.getInstance().walk(frames -> frames.count()) == 1;
        other.join();
    }
}
