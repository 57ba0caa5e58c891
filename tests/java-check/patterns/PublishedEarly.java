// expect: assertion
// An object is published by its constructor, before it is complete.
public class PublishedEarly {
    static volatile PublishedEarly latest;
    final int value;

    PublishedEarly() {
        latest = this;
        value = 42;
    }

    public static void main(String[] args) {
        new Thread(PublishedEarly::new).start();
        PublishedEarly seen = latest;
        assert seen == null || seen.value == 42; // <- assertion
    }
}
