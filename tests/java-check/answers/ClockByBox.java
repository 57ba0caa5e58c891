// expect: unknown
// A time decides by way of a map and a box.
public class ClockByBox {
    public static void main(String[] args) throws Exception {
        java.util.Map<String, Long> map = new java.util.HashMap<>();
        map.put("begin", System.nanoTime());
        if (map.get("begin") < 0) {
            throw new IllegalStateException();
        }
    }
}
