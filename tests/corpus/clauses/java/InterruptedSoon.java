// expect: fault
// Whether a thread is interrupted depends on when it looks.
class InterruptedSoon {
    public static void main(String[] args) {
        Thread looker = new Thread(() -> {
            boolean first = Thread.interrupted(), second = Thread.interrupted();
            throw new IllegalStateException(first + " " + second);
        });
        looker.start();
        looker.interrupt();
    }
}
