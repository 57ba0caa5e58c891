// expect: deadlock
// Two synchronized collections are added to each other.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class AddAllCrossed {
    public static void main(String[] args) {
        List<Integer> one = Collections.synchronizedList(new ArrayList<>(List.of(1)));
        List<Integer> two = Collections.synchronizedList(new ArrayList<>(List.of(2)));
        new Thread(() -> two.addAll(one)).start(); // <- deadlock
        one.addAll(two); // <- deadlock
    }
}
