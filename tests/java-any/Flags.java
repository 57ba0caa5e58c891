// any: holds
// Each thread raises a flag of its own, which others reach through an array of the threads, and
// finds it as it left it.
public class Flags extends Thread {
    static Flags[] all;
    volatile boolean up;
    volatile int seen;

    public void run() {
        while (true) {
            up = true;
            int count = 0;
            for (int i = 0; i < all.length; i++) if (all[i].up) count = 1;
            seen = count;
            assert up && seen == count;
            up = false;
        }
    }

    public static void main(String[] args) {
        all = new Flags[3];
        for (int i = 0; i < 3; i++) all[i] = new Flags();
        for (Flags flags : all) flags.start();
    }
}
