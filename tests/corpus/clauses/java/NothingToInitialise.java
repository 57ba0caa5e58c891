// expect: race
// Whether a class without an initialiser is initialised in a step of its own depends on the one that it extends.
class NothingToInitialise {
    static int x, y;
    static class Base {
        static int count = x;
    }
    static class Sub extends Base { }
    public static void main(String[] args) {
        new Thread(() -> {
            new Base();
            x = 1;
            new Sub();
        }).start();
        y = x;
        new Sub();
        y = x;
    }
}
