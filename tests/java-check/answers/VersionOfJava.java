// expect: assertion
// The version is that of the JDK, whatever machine it runs on.
public class VersionOfJava {
    public static void main(String[] args) {
        assert System.getProperty("java.specification.version").equals("1.4"); // <- assertion
    }
}
