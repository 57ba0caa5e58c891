// expect: holds
// race: StringBuilder.count 8 write, 11 read
public class SharedBuilder {
    static final StringBuilder TEXT = new StringBuilder();

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            TEXT.append('x');
        });
        other.start();
        int length = TEXT.length();
        assert length < 2;
    }
}
