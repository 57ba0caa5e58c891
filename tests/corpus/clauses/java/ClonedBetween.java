// expect: fault, race
// A clone has what was there at one moment.
class ClonedBetween {
    static final int[] array = new int[2];
    public static void main(String[] args) {
        new Thread(() -> { array[0] = 1; array[1] = 1; }).start();
        int[] copy = array.clone();
        throw new IllegalStateException(copy[0] + " " + copy[1]);
    }
}
