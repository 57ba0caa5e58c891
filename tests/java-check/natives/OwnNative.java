// expect: unknown
// A native method of the program is not one of the library's, whatever it is called.
public class OwnNative {
    static native void initIDs();

    public static void main(String[] args) {
        try {
            initIDs();
            assert false;
        } catch (UnsatisfiedLinkError e) {
            System.out.println("not there");
        }
    }
}
