/** Some sit around a table, and each takes two things at once: those with the smaller number first. */
public class Table {
    static final int GUESTS = 4;
    static final Object[] THINGS = new Object[GUESTS];
    static int served;

    public static void main(String[] args) throws InterruptedException {
        Thread[] guests = new Thread[GUESTS];
        for (int i = 0; i < GUESTS; i++) {
            THINGS[i] = new Object();
        }
        for (int i = 0; i < GUESTS; i++) {
            int left = Math.min(i, (i + 1) % GUESTS), right = Math.max(i, (i + 1) % GUESTS);
            guests[i] = new Thread(() -> {
                synchronized (THINGS[left]) {
                    synchronized (THINGS[right]) {
                        synchronized (Table.class) {
                            served++;
                        }
                    }
                }
            });
            guests[i].start();
        }
        for (Thread guest : guests) {
            guest.join();
        }
        assert served == GUESTS;
    }
}
