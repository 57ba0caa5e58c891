// expect: exception
// A list is changed while it is walked through.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class Modified {
    public static void main(String[] args) {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1, 2)));
        new Thread(() -> list.add(3)).start();
        int sum = 0;
        for (int item : list) sum += item; // <- exception
        assert sum >= 3;
    }
}
