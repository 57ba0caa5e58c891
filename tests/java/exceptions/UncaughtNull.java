//@ exit: 1
/** A null in a chain of fields, uncaught, with its message. */
public class UncaughtNull {
    UncaughtNull next; int[] data;
    static UncaughtNull head = new UncaughtNull();
    static int sum(int k) {
        return k + head.next.data[k];
    }
    public static void main(String[] args) {
        head.next = new UncaughtNull();
        System.out.println("about to fail");
        System.out.println(sum(2));
    }
}
