// any: holds
// Lamport's bakery with an object for each customer's ticket, in the way of Appendix A.1 of paper
// 003, with its mistakes repaired: the ticket is given back after the critical section, and what
// others look at is volatile.
import java.util.concurrent.atomic.AtomicInteger;

public class Bakery extends Thread {
    static class Slip {
        volatile int number;
        volatile boolean drawing;
    }

    static class Shop {
        final Slip[] slips;
        final int customers;

        Shop(int customers) {
            this.customers = customers;
            slips = new Slip[customers];
            for (int i = 0; i < customers; i++) slips[i] = new Slip();
        }

        void draw(Slip mine) {
            mine.drawing = true;
            int most = 0;
            for (int i = 0; i < customers; i++) {
                int seen = slips[i].number;
                if (seen > most) most = seen;
            }
            mine.number = most + 1;
            mine.drawing = false;
        }

        void queue(int me, Slip mine) {
            for (int i = 0; i < customers; i++) {
                if (i == me) continue;
                while (slips[i].drawing) Thread.onSpinWait();
                while (true) {
                    int theirs = slips[i].number;
                    if (theirs == 0 || theirs > mine.number || theirs == mine.number && me < i) break;
                }
            }
        }
    }

    static final AtomicInteger inside = new AtomicInteger();
    final Shop shop;
    final Slip slip;
    final int me;

    Bakery(Shop shop, Slip slip, int me) {
        this.shop = shop;
        this.slip = slip;
        this.me = me;
    }

    public void run() {
        while (true) {
            shop.draw(slip);
            shop.queue(me, slip);
            assert inside.incrementAndGet() == 1;
            inside.decrementAndGet();
            slip.number = 0;
        }
    }

    public static void main(String[] args) {
        Shop shop = new Shop(2);
        for (int i = 0; i < 2; i++) new Bakery(shop, shop.slips[i], i).start();
    }
}
