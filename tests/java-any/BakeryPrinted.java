// any: violated 2
// Lamport's bakery as Appendix A.1 of paper 003 has it: a customer tears its ticket up while it is
// still in the critical section, so that the next one comes in.
import java.util.concurrent.atomic.AtomicInteger;

public class BakeryPrinted {
    static class Ticket {
        private int value;
        private boolean choosing;

        synchronized int chosen() {
            while (choosing) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
            return value;
        }

        synchronized void choosing(boolean now) {
            choosing = now;
            if (!now) notifyAll();
        }

        int value() {
            return value;
        }

        void value(int now) {
            value = now;
        }
    }

    static class Shop {
        private final Ticket[] tickets;
        private final int slots;

        Shop(int slots, Ticket[] tickets) {
            this.slots = slots;
            this.tickets = tickets;
        }

        int draw(Ticket mine) {
            int most = 0;
            mine.choosing(true);
            for (int j = 0; j < slots; ++j) {
                int seen = tickets[j].value();
                if (seen > most) most = seen;
            }
            mine.value(most + 1);
            mine.choosing(false);
            return most + 1;
        }

        void queue(int me, int number) {
            for (int j = slots - 1; j >= 0; --j) {
                if (j == me) continue;
                int turn = tickets[j].chosen();
                if (turn == 0) continue;
                if (turn < number || turn == number && j < me) {
                    synchronized (this) {
                        try {
                            while (tickets[j].value() != 0) wait();
                        } catch (InterruptedException e) {
                            System.out.println("interrupted");
                        }
                    }
                }
            }
        }

        synchronized void leave() {
            notifyAll();
        }
    }

    static final AtomicInteger inside = new AtomicInteger();

    static class Customer extends Thread {
        private final Shop shop;
        private final Ticket ticket;
        private final int me;

        Customer(Shop shop, Ticket ticket, int me) {
            this.shop = shop;
            this.ticket = ticket;
            this.me = me;
        }

        public void run() {
            int number = shop.draw(ticket);
            shop.queue(me, number);
            assert inside.incrementAndGet() == 1;
            ticket.value(0);
            shop.leave();
            inside.decrementAndGet();
        }
    }

    public static void main(String[] args) {
        int customers = 2;
        Ticket[] tickets = new Ticket[customers];
        for (int j = 0; j < customers; ++j) tickets[j] = new Ticket();
        Shop shop = new Shop(customers, tickets);
        for (int j = 0; j < customers; ++j) new Customer(shop, tickets[j], j).start();
    }
}
