// expect: holds
// Packages of the JDK have names.
public class PackageOfString {
    public static void main(String[] args) {
        assert String.class.getPackage().getName().equals("java.lang");
    }
}
