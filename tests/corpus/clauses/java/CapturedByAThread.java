// expect: fault, race
// What a thread refers to is shared when it is started.
class CapturedByAThread {
    public static void main(String[] args) {
        int[] box = new int[1];
        new Thread(() -> { int seen = box[0]; box[0] = seen + 1; }).start();
        int seen = box[0];
        box[0] = seen + 1;
        throw new IllegalStateException(String.valueOf(box[0]));
    }
}
