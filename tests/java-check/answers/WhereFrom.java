// expect: unknown
// Where a class was loaded from is not known, which is no mistake of the program.
public class WhereFrom {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            String place = WhereFrom.class.getProtectionDomain().getCodeSource().toString();
            assert !place.isEmpty();
        });
        other.start();
        other.join();
    }
}
