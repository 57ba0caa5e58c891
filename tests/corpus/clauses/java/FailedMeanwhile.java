// expect: fault, race
// Who uses a class whose initialisation has failed does not wait for it.
class FailedMeanwhile {
    static int x, y;
    static class Bad {
        static int z = 1 / y;
    }
    public static void main(String[] args) {
        new Thread(() -> {
            x = 1;
            try {
                x = Bad.z;
            } catch (LinkageError e) {
                x = 2;
            }
        }).start();
        try {
            x = Bad.z;
        } catch (LinkageError e) {
            assert x != 1;
        }
    }
}
