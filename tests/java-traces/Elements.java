// expect: assertion
public class Elements {
    static final String[] ITEMS = new String[3];

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            ITEMS[2] = "x";
        }, "writer");
        other.start();
        assert ITEMS[2] == null : "somebody was here";
    }
}
