// expect: holds
// race: EscapingThis.value 12 write, 16 read
public class EscapingThis {
    final int value;

    EscapingThis() {
        Thread other = new Thread(() -> {
            int seen = read();
            assert seen == 0 || seen == 3;
        });
        other.start();
        value = 3;
    }

    int read() {
        return value;
    }

    public static void main(String[] args) {
        new EscapingThis();
    }
}
