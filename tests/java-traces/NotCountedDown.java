// expect: deadlock
import java.util.*;
import java.util.concurrent.*;

/** A task that returns early leaves a latch as it is. */
class NotCountedDown {
    public static void main(String[] args) throws Exception {
        List<String> names = List.of("a", "b", "");
        CountDownLatch done = new CountDownLatch(names.size());
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<String> results = Collections.synchronizedList(new ArrayList<>());
        for (String name : names) {
            pool.execute(() -> {
                if (name.isEmpty()) return;
                results.add(name.toUpperCase());
                done.countDown();
            });
        }
        done.await();
        System.out.println(results);
    }
}
