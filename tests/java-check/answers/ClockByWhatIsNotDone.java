// expect: unknown
// Nothing is deleted now, and at another time everything.
public class ClockByWhatIsNotDone {
    public static void main(String[] args) {
        long begin = System.nanoTime();
        StringBuilder text = new StringBuilder("abc");
        text.delete(0, (int) (System.nanoTime() - begin));
        assert text.length() == 3;
    }
}
