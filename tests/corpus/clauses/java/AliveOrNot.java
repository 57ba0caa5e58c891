// expect: fault
// Whether a thread is alive depends on when somebody looks.
class AliveOrNot {
    static Thread other = new Thread(() -> { });
    public static void main(String[] args) {
        new Thread(() -> { throw new IllegalStateException(String.valueOf(other.isAlive())); }).start();
        other.start();
        throw new IllegalStateException("main " + other.isAlive());
    }
}
