// expect: fault
// Who sleeps moves the clock for everybody.
class SleptMeanwhile {
    static void sleep() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
    public static void main(String[] args) {
        Thread other = new Thread(SleptMeanwhile::sleep);
        long before = System.currentTimeMillis();
        other.start();
        sleep();
        assert System.currentTimeMillis() - before == 1;
    }
}
