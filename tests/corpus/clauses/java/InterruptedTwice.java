// expect: fault
// Who returns from a wait that was interrupted forgets the interruption, and one that comes meanwhile with it.
class InterruptedTwice {
    static final Object m = new Object();
    static boolean again;
    public static void main(String[] args) {
        Thread waiting = new Thread(() -> {
            synchronized (m) {
                try {
                    m.wait(5);
                } catch (InterruptedException e) {
                    again = Thread.currentThread().isInterrupted();
                    assert !again;
                }
            }
        });
        waiting.start();
        waiting.interrupt();
        waiting.interrupt();
    }
}
