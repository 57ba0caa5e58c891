// flags: --class StaleRegister --specification Register --size 2x1 --before 0 --after 0 --operation 'put(7)' --operation 'get()'
// violated: get() = 0
/**
 * What is read is older than what was written: in the results alone there is nothing wrong, since it
 * could have been read before. Only the order of the calls shows it.
 */
public class StaleRegister {
    private int pending;
    private int value;

    public synchronized void put(int written) {
        value = pending;
        pending = written;
    }

    public synchronized int get() {
        return value;
    }
}

class Register {
    private int value;

    void put(int written) {
        value = written;
    }

    int get() {
        return value;
    }
}
