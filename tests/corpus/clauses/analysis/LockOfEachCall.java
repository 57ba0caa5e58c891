// shares: count not guarded
/** A lock that is made by each call is another one each time. */
public class LockOfEachCall {
    static int count;

    static void more() {
        Object lock = new Object();
        synchronized (lock) {
            count++;
        }
    }

    public static void main(String[] args) {
        new Thread(LockOfEachCall::more).start();
        more();
    }
}
