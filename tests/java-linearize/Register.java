// flags: --class Register --size 2x1 --before 0 --after 0 --operation 'put(7)' --operation 'get()'
// holds
public class Register {
    private volatile int value;

    public void put(int written) {
        value = written;
    }

    public int get() {
        return value;
    }
}
