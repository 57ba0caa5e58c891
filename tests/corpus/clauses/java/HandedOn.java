// expect: fault, race
// What belonged to a thread that has ended belongs to the next one that asks, and not to all.
class HandedOn {
    static int x;
    static void add() { int seen = x; x = seen + 1; }
    public static void main(String[] args) throws Exception {
        Thread first = new Thread(HandedOn::add);
        first.start();
        first.join();
        Thread a = new Thread(HandedOn::add), b = new Thread(HandedOn::add);
        a.start();
        b.start();
        a.join();
        b.join();
        assert x == 3;
    }
}
