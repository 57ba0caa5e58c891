// expect: exception
// A divisor becomes zero after it was looked at.
public class DivisionByShared {
    static int parts = 2;

    public static void main(String[] args) {
        new Thread(() -> parts = 0).start();
        if (parts > 0) {
            int share = 100 / parts; // <- exception
            System.out.println(share);
        }
    }
}
