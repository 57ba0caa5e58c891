// expect: holds
// An iterator of a copy-on-write list sees the list of its beginning.
import java.util.concurrent.CopyOnWriteArrayList;

public class CopyOnWrite {
    public static void main(String[] args) throws InterruptedException {
        CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>();
        list.add(1);
        Thread other = new Thread(() -> list.add(2));
        other.start();
        int sum = 0;
        for (int item : list) sum += item;
        assert sum == 1 || sum == 3;
        other.join();
        assert list.size() == 2;
    }
}
