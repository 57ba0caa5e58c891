public class Hits extends Thread {
    static volatile int hits;

    public void run() {
        int before = hits;
        hits = before + 1;
        assert hits > before;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) new Hits().start();
    }
}
