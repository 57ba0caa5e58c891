// expect: holds
// Both synchronized methods are those of the class.
public class DifferentLocksMended {
    static int count;

    static synchronized void one() {
        count++;
    }

    static synchronized void two() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(DifferentLocksMended::one);
        other.start();
        two();
        other.join();
        assert count == 2 : count;
    }
}
