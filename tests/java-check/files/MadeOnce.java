// expect: holds
// A file that is made only if it is not there is made by one of two threads.
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;

class MadeOnce {
    public static void main(String[] args) throws IOException, InterruptedException {
        File file = Files.createTempDirectory("abc").resolve("lock").toFile();
        AtomicInteger made = new AtomicInteger();
        Runnable make = () -> {
            try {
                if (file.createNewFile()) {
                    made.incrementAndGet();
                }
            } catch (IOException failed) {
                made.set(9);
            }
        };
        Thread other = new Thread(make);
        other.start();
        make.run();
        other.join();
        assert made.get() == 1;
    }
}
