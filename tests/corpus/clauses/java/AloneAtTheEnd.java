// expect: fault
// A field is written by a thread that may be the last one alive, or not: who read it before did so beside it.
class AloneAtTheEnd {
    static int x;
    static volatile int v;
    public static void main(String[] args) {
        new Thread(() -> { }).start();
        new Thread(() -> { x++; v = 3; }).start();
        assert v != 3;
    }
}
