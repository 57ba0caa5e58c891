// shares: count not guarded
/** A constructor may show its object to others before it has ended. */
public class ShownByConstructor {
    int count;

    ShownByConstructor() {
        new Thread(this::more).start();
        count++;
    }

    void more() {
        count++;
    }

    public static void main(String[] args) {
        new ShownByConstructor();
    }
}
