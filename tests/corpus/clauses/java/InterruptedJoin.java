// expect: fault
// Who waits for the end of a thread can be interrupted.
class InterruptedJoin {
    static volatile boolean done;
    public static void main(String[] args) {
        Thread waiting = new Thread(() -> {
            try {
                Thread.currentThread().join();
            } catch (InterruptedException e) {
                assert !done;
            }
        });
        waiting.start();
        waiting.interrupt();
        done = true;
    }
}
