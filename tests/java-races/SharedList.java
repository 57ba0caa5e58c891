// expect: holds
// race: ArrayList.size 11 write, 14 read
import java.util.ArrayList;
import java.util.List;

public class SharedList {
    static final List<Integer> LIST = new ArrayList<>(4);

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            LIST.add(1);
        });
        other.start();
        int size = LIST.size();
        assert size == 0 || size == 1;
    }
}
