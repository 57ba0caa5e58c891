// expect: fault, race
// What a shared object refers to is shared, with all behind it.
class PublishedDeeply {
    static Object[] shared;
    public static void main(String[] args) {
        int[] inner = new int[1];
        Object[] outer = { inner };
        shared = outer;
        new Thread(() -> { int[] mine = (int[]) shared[0]; int seen = mine[0]; mine[0] = seen + 1; }).start();
        int seen = inner[0];
        inner[0] = seen + 1;
        throw new IllegalStateException(String.valueOf(inner[0]));
    }
}
