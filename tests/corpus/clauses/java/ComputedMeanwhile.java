// expect: fault
/** One thread computes a text while another one asks for the time, for the first time in the program. */
public class ComputedMeanwhile {
    static Thread other;

    public static void main(String[] args) {
        other = new Thread(ComputedMeanwhile::await);
        other.start();
        if (other.isAlive()) {
            throw new IllegalStateException(String.valueOf(args.length));
        }
    }

    static void await() {
        try {
            other.join(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
