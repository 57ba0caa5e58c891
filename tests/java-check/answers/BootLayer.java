// expect: unknown
// There are no modules here, so that a question about them has no answer.
public class BootLayer {
    public static void main(String[] args) {
        assert ModuleLayer.boot().modules().size() > 0;
    }
}
