// expect: exception
// No JVM makes an array of this length.
public class TooLongArray {
    public static void main(String[] args) {
        byte[] longest = new byte[Integer.MAX_VALUE]; // <- exception
        assert longest.length > 0;
    }
}
