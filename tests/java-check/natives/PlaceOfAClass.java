// expect: holds
// What a class comes from is one object for each place; classes of the JDK have packages.
import java.security.ProtectionDomain;

public class PlaceOfAClass {
    static class Inner {}

    public static void main(String[] args) throws Exception {
        ProtectionDomain domain = PlaceOfAClass.class.getProtectionDomain();
        assert domain.getCodeSource().getCertificates() == null;
        assert domain.getClassLoader() == PlaceOfAClass.class.getClassLoader();
        assert String.class.getPackage().getName().equals("java.lang");
        assert String.class.getPackage() == Integer.class.getPackage();
        Thread other = new Thread(() -> {
            assert Inner.class.getProtectionDomain() == domain;
        });
        other.start();
        assert java.util.List.class.getPackage().getImplementationTitle() == null;
        other.join();
    }
}
