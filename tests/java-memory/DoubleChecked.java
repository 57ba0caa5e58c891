// expect: assertion
// model: java
/** A service that is made when it is needed first. */
public class DoubleChecked {
    static DoubleChecked service;
    int port;

    DoubleChecked() {
        port = 80;
    }

    static DoubleChecked get() {
        DoubleChecked found = service;
        if (found == null) {
            synchronized (DoubleChecked.class) {
                found = service;
                if (found == null) {
                    service = found = new DoubleChecked();
                }
            }
        }
        return found;
    }

    public static void main(String[] args) {
        new Thread(DoubleChecked::get).start();
        assert get().port == 80 : "a service that is not ready";
    }
}
