// expect: exception
// An array is replaced by a shorter one between the look at its length and its use.
public class IndexAfterCheck {
    static int[] items = { 1, 2, 3 };

    public static void main(String[] args) {
        new Thread(() -> items = new int[1]).start();
        int last = items.length - 1;
        System.out.println(items[last]); // <- exception
    }
}
