// expect: unknown
// Packages of the JDK have no descriptions.
public class PackageOfString {
    public static void main(String[] args) {
        assert String.class.getPackage().getName().equals("java.lang");
    }
}
