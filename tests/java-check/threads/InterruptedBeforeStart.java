// expect: holds
// A thread that was interrupted before it was started does not sleep.
class InterruptedBeforeStart {
    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(() -> {
            try {
                Thread.sleep(10);
                throw new AssertionError("slept");
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        thread.interrupt();
        thread.start();
        thread.join();
    }
}
