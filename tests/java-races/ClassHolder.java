// expect: holds
public class ClassHolder {
    static class Holder {
        static int[] table = {1, 2, 3};
    }

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            assert Holder.table[0] == 1;
        });
        other.start();
        assert Holder.table[2] == 3;
    }
}
