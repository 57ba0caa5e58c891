// expect: deadlock
// A thread that waits for its own end waits for ever, alone or not.
class JoinsItself {
    public static void main(String[] args) {
        Thread thread = new Thread(() -> {
            try {
                Thread.currentThread().join(); // <- deadlock
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
    }
}
