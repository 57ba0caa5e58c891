// expect: deadlock
// Three threads exchange: one of them is left alone.
import java.util.concurrent.Exchanger;

public class ExchangerAlone {
    static final Exchanger<String> exchanger = new Exchanger<>();

    static void give(String what) {
        try {
            exchanger.exchange(what); // <- deadlock
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        new Thread(() -> give("a")).start();
        new Thread(() -> give("b")).start();
        give("c"); // <- deadlock
    }
}
