// expect: fault, race
// Whether a thread is interrupted when it begins depends on who is first.
class StartedOrInterrupted {
    static Thread other;
    public static void main(String[] args) {
        Thread starter = new Thread(() -> {
            Thread made = new Thread(() -> {
                assert !Thread.currentThread().isInterrupted();
            });
            other = made;
            made.start();
        });
        starter.start();
        Thread found = other;
        if (found != null) found.interrupt();
    }
}
