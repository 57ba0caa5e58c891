// expect: assertion
// An ArrayList that two threads append to loses items, or fails.
import java.util.ArrayList;

public class ListLostItem {
    public static void main(String[] args) throws InterruptedException {
        ArrayList<Integer> list = new ArrayList<>(4);
        Thread other = new Thread(() -> list.add(1));
        other.start();
        list.add(2);
        other.join();
        assert list.size() == 2 && list.get(0) + list.get(1) == 3; // <- assertion
    }
}
