/** Three count without care. What comes out may be as little as two, and never less. */
public class Least {
    static int count;

    public static void main(String[] args) throws InterruptedException {
        int times = 4;
        Thread[] all = new Thread[3];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> {
                for (int j = 0; j < times; j++) {
                    count++;
                }
            });
            all[i].start();
        }
        for (Thread one : all) {
            one.join();
        }
        int least = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        if (count < least) {
            throw new IllegalStateException("" + count);
        }
    }
}
