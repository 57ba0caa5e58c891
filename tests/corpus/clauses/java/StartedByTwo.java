// expect: fault
// Threads are numbered as they are started, whoever starts them.
class StartedByTwo {
    static volatile int v;
    static void begin(int to) { new Thread(() -> v = 2 * v + to).start(); }
    public static void main(String[] args) {
        new Thread(() -> begin(1)).start();
        begin(2);
        throw new IllegalStateException(String.valueOf(v));
    }
}
