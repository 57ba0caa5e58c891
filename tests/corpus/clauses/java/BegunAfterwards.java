// expect: deadlock
// A thread that begins when a class is initialised already comes to its first operation without
// noticing it; had it begun earlier, the two classes would wait for each other.
class BegunAfterwards {
    static class Hen {
        static int z = 1 + Egg.z;
    }
    static class Egg {
        static int z = 1 + Hen.z;
    }
    static void last() {
        int egg = Egg.z;
    }
    static void between() {
        new Thread(BegunAfterwards::last).start();
    }
    public static void main(String[] args) {
        new Thread(BegunAfterwards::between).start();
        int hen = Hen.z;
    }
}
