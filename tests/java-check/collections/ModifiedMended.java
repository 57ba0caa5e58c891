// expect: holds
// A list is walked through under its own lock.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class ModifiedMended {
    public static void main(String[] args) {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1, 2)));
        new Thread(() -> list.add(3)).start();
        int sum = 0;
        synchronized (list) {
            for (int item : list) sum += item;
        }
        assert sum == 3 || sum == 6;
    }
}
