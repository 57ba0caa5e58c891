// expect: holds
import java.util.ArrayList;
import java.util.List;

/** What a collection holds inside is guarded by whatever guards the collection. */
public class CollectionGuarded {
    public static void main(String[] args) throws Exception {
        List<Integer> list = new ArrayList<>();
        Object lock = new Object();
        Runnable add = () -> {
            for (int i = 0; i < 2; i++) {
                synchronized (lock) {
                    list.add(i);
                }
            }
        };
        Thread a = new Thread(add);
        Thread b = new Thread(add);
        a.start();
        b.start();
        a.join();
        b.join();
        assert list.size() == 4;
    }
}
