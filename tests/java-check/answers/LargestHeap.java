// expect: unknown
// How large a heap may be depends on the machine and its JVM.
public class LargestHeap {
    public static void main(String[] args) {
        assert Runtime.getRuntime().maxMemory() > 2L << 30;
    }
}
