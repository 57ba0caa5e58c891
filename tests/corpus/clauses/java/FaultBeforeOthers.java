// expect: fault
// A fault ends the execution, but others may come before it.
class FaultBeforeOthers {
    public static void main(String[] args) {
        new Thread(() -> { throw new IllegalStateException("the other one"); }).start();
        throw new IllegalStateException("main");
    }
}
