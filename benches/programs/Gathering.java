import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Allocation, boxing, hash tables, lists and strings. */
public class Gathering {
    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        Map<String, List<Integer>> groups = new HashMap<>();
        for (int i = 0; i < count; i++) {
            StringBuilder name = new StringBuilder("group");
            name.append(i % 1009);
            List<Integer> group = groups.get(name.toString());
            if (group == null) {
                group = new ArrayList<>();
                groups.put(name.toString(), group);
            }
            group.add(i);
        }
        long sum = 0;
        for (List<Integer> group : groups.values()) {
            for (int member : group) {
                sum += member ^ group.size();
            }
        }
        System.out.println(sum);
    }
}
