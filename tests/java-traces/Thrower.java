// expect: exception
public class Thrower {
    static String[] names = {"a", null};

    static int length(int index) {
        return names[index].length();
    }

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            try {
                length(1);
            } catch (NullPointerException e) {
                throw new IllegalStateException("no name", e);
            }
        }, "other");
        other.start();
    }
}
