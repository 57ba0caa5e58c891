// expect: holds
// race: DoubleCheckedPlain.instance 7 read, 10 write
public class DoubleCheckedPlain {
    static Object instance;

    static Object get() {
        if (instance == null) {
            synchronized (DoubleCheckedPlain.class) {
                if (instance == null) {
                    instance = new Object();
                }
            }
        }
        return instance;
    }

    public static void main(String[] args) {
        Thread other = new Thread(() -> get());
        other.start();
        assert get() != null;
    }
}
