// expect: assertion
// A StringBuilder that two threads append to loses letters.
public class StringBuilderShared {
    public static void main(String[] args) throws InterruptedException {
        StringBuilder text = new StringBuilder(8);
        Thread other = new Thread(() -> text.append('a'));
        other.start();
        text.append('b');
        other.join();
        String seen = text.toString();
        assert seen.equals("ab") || seen.equals("ba"); // <- assertion
    }
}
