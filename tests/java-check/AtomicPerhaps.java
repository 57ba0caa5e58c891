// expect: assertion
// Whether a thread is in an atomic block belongs to its state.
import gov.nasa.jpf.vm.Verify;

public class AtomicPerhaps {
    static int x;

    public static void main(String[] arguments) {
        Thread other = new Thread(() -> {
            x = 1;
            x = 2;
        });
        boolean isOpen = Verify.getBoolean();
        other.start();
        if (!isOpen) {
            Verify.beginAtomic();
        }
        isOpen = false;
        int first = x;
        int second = x;
        assert first == second;
    }
}
