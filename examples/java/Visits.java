public class Visits extends Thread {
    static int visits;

    static synchronized void visit() {
        int before = visits;
        visits = before + 1;
        assert visits == before + 1;
    }

    public void run() {
        visit();
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) new Visits().start();
    }
}
