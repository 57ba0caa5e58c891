/** One object for all, made when it is first wanted, and the lock taken only if it has to be. */
final class DoubleChecked {
    private static DoubleChecked instance;
    private int answer;

    private DoubleChecked() {
        answer = 42;
    }

    static DoubleChecked get() {
        if (instance == null) {
            synchronized (DoubleChecked.class) {
                if (instance == null) {
                    instance = new DoubleChecked();
                }
            }
        }
        return instance;
    }

    public static void main(String[] arguments) {
        new Thread(() -> System.out.println(get().answer)).start();
        System.out.println(get().answer);
    }
}
