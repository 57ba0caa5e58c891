// any: holds
public class Identifiers {
    private static int last;

    static synchronized int next() {
        int before = last;
        last = before + 1;
        if (last - before != 1) throw new ArithmeticException();
        return last;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    int one = next();
                    int other = next();
                    if (one == other) System.out.println("wrapped around");
                }
            }).start();
        }
    }
}
