// expect: holds
// Two threads take turns with wait and notifyAll.
public class Turns {
    static int turn;
    static String order = "";

    static synchronized void play(int me) {
        for (int round = 0; round < 2; round++) {
            while (turn != me) {
                try {
                    Turns.class.wait();
                } catch (InterruptedException e) {
                    return;
                }
            }
            order += me;
            turn = 1 - me;
            Turns.class.notifyAll();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> play(1));
        other.start();
        play(0);
        other.join();
        assert order.equals("0101") : order;
    }
}
