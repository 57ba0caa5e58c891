// expect: unknown
// What is left of a text, and whether it is a number, depends on the time.
public class ClockByNothingLeft {
    public static void main(String[] args) {
        long begin = System.nanoTime();
        String rest = Long.toString(System.nanoTime() - begin).substring(1);
        int known = 0;
        try {
            known = Integer.parseInt(rest);
        } catch (NumberFormatException none) {
            known = -1;
        }
        assert known == -1;
    }
}
