// expect: fault
// Waiting for a thread is a point at which others can go on, too.
class JoinedEarly {
    static volatile int v;
    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> v = 1), second = new Thread(() -> v = 2);
        first.start();
        second.start();
        first.join();
        throw new IllegalStateException(String.valueOf(v));
    }
}
