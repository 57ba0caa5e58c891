// expect: assertion
// Peterson's algorithm with each thread giving the turn to itself.
public class PetersonWrong {
    static volatile boolean wants0, wants1;
    static volatile int turn;
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            wants1 = true;
            turn = 1;
            while (wants0 && turn == 0) Thread.onSpinWait();
            count++;
            wants1 = false;
        });
        other.start();
        wants0 = true;
        turn = 0;
        while (wants1 && turn == 1) Thread.onSpinWait();
        count++;
        wants0 = false;
        other.join();
        assert count == 2 : count; // <- assertion
    }
}
