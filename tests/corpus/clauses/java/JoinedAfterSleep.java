// expect: fault
// Who comes late waits for the end of a thread; before the start it would not have waited.
class JoinedAfterSleep {
    static final Thread first = new Thread(() -> {
        try {
            Thread.sleep(1);
            JoinedAfterSleep.second.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    });
    static final Thread second = new Thread(() -> {
        assert first.isAlive();
    });
    public static void main(String[] args) throws InterruptedException {
        first.start();
        second.start();
        first.join();
    }
}
