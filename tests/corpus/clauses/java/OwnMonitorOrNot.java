// expect: fault, race
// A field is accessed with the object's monitor by one thread, and without it by another one.
class OwnMonitorOrNot {
    int x;
    synchronized void add() { int seen = x; x = seen + 1; }
    void addOpenly() { int seen = x; x = seen + 1; }
    public static void main(String[] args) throws Exception {
        OwnMonitorOrNot shared = new OwnMonitorOrNot();
        Thread a = new Thread(shared::add), b = new Thread(shared::addOpenly);
        a.start();
        b.start();
        a.join();
        b.join();
        assert shared.x == 2;
    }
}
