// expect: holds
// A copy is added, so that one lock is held at a time.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class AddAllCopied {
    public static void main(String[] args) {
        List<Integer> one = Collections.synchronizedList(new ArrayList<>(List.of(1)));
        List<Integer> two = Collections.synchronizedList(new ArrayList<>(List.of(2)));
        new Thread(() -> two.addAll(List.of(one.toArray(new Integer[0])))).start();
        one.addAll(List.of(two.toArray(new Integer[0])));
    }
}
