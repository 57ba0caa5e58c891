// expect: fault
// A time limit that passes moves the clock for everybody.
class ClockMoves {
    static final Object m = new Object();
    public static void main(String[] args) {
        new Thread(() -> {
            synchronized (m) {
                try {
                    m.wait(5);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }).start();
        long before = System.currentTimeMillis();
        assert System.currentTimeMillis() == before;
    }
}
