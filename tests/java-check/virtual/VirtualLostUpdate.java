// expect: assertion
// Two virtual threads add to a plain field.
// jdk 21
public class VirtualLostUpdate {
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Thread one = Thread.startVirtualThread(() -> count++);
        Thread two = Thread.startVirtualThread(() -> count++);
        one.join();
        two.join();
        assert count == 2; // <- assertion
    }
}
