// expect: holds
// model: java
/** A service that is made when it is needed first. */
public class DoubleCheckedVolatile {
    static volatile DoubleCheckedVolatile service;
    int port;

    DoubleCheckedVolatile() {
        port = 80;
    }

    static DoubleCheckedVolatile get() {
        DoubleCheckedVolatile found = service;
        if (found == null) {
            synchronized (DoubleCheckedVolatile.class) {
                found = service;
                if (found == null) {
                    service = found = new DoubleCheckedVolatile();
                }
            }
        }
        return found;
    }

    public static void main(String[] args) {
        new Thread(DoubleCheckedVolatile::get).start();
        assert get().port == 80 : "a service that is not ready";
    }
}
