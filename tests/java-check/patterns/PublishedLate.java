// expect: holds
// An object is published when it is complete.
public class PublishedLate {
    static volatile PublishedLate latest;
    final int value;

    PublishedLate() {
        value = 42;
    }

    public static void main(String[] args) {
        new Thread(() -> latest = new PublishedLate()).start();
        PublishedLate seen = latest;
        assert seen == null || seen.value == 42;
    }
}
