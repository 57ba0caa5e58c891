// any: violated
public class PetersonWrong {
    static volatile boolean flag0, flag1;
    static volatile int turn;
    static volatile int junk;
    static volatile boolean inside0, inside1;

    public static void main(String[] args) {
        new Thread(() -> {
            while (true) {
                turn = 1;
                flag0 = true;
                while (flag1 && turn == 1) Thread.onSpinWait();
                inside0 = true;
                assert !inside1;
                inside0 = false;
                flag0 = false;
            }
        }, "left").start();
        new Thread(() -> {
            while (true) {
                flag1 = true;
                turn = 0;
                while (flag0 && turn == 0) Thread.onSpinWait();
                inside1 = true;
                assert !inside0;
                inside1 = false;
                flag1 = false;
            }
        }, "right").start();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) junk = turn;
            }, "bystander").start();
        }
    }
}
