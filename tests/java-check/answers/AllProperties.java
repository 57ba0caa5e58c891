// expect: unknown
// Among all properties are those that are made up.
public class AllProperties {
    public static void main(String[] args) {
        assert System.getProperties().containsKey("sun.java.command");
    }
}
