// expect: fault
// Whoever waits for the object of a thread is notified by its end.
class WaitForAThread {
    static final Thread short1 = new Thread(() -> { });
    public static void main(String[] args) throws Exception {
        short1.start();
        int waits = 0;
        synchronized (short1) {
            while (short1.isAlive()) {
                waits++;
                short1.wait();
            }
        }
        throw new IllegalStateException(String.valueOf(waits));
    }
}
