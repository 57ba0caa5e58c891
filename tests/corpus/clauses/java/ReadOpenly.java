// expect: fault, race
// A field is written with the object's monitor by one thread, and read without it by another one.
class ReadOpenly {
    int x;
    synchronized void set() { x = 1; }
    public static void main(String[] args) {
        ReadOpenly shared = new ReadOpenly();
        new Thread(shared::set).start();
        throw new IllegalStateException(String.valueOf(shared.x));
    }
}
