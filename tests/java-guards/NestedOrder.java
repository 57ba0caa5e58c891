// expect: deadlock
/** Two locks in one step each way: a deadlock between transactions. */
public class NestedOrder {
    static final Object A = new Object();
    static final Object B = new Object();
    static int value;

    static void use(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
                value++;
            }
        }
    }

    public static void main(String[] args) {
        new Thread(() -> use(A, B)).start();
        new Thread(() -> use(B, A)).start();
    }
}
