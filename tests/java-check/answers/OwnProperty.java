// expect: assertion
// A property that nobody has set is not there, and what follows from that is no mistake of raddle.
public class OwnProperty {
    public static void main(String[] args) {
        assert System.getProperty("bank.rate") != null; // <- assertion
    }
}
