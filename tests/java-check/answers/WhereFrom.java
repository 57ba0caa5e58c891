// expect: holds
// A class was loaded from somewhere, which another machine calls otherwise.
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
