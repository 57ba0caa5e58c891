// expect: assertion
// model: java
/** Two plain reads of a variable may see its values in the wrong order. */
public class Coherence {
    static int x;

    public static void main(String[] args) {
        new Thread(() -> x = 1).start();
        int first = x;
        int second = x;
        assert first <= second : "back in time";
    }
}
