// any: violated 2
public class StartOnceWrong {
    static volatile boolean started;
    static volatile int starts;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    if (!started) {
                        started = true;
                        int before = starts;
                        starts = before + 1;
                        assert before == 0;
                    }
                }
            }).start();
        }
    }
}
