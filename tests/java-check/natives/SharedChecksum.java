// expect: assertion
// A checksum reads an array that others may write.
import java.util.zip.CRC32;

public class SharedChecksum {
    static final byte[] bytes = {1, 2};

    public static void main(String[] args) throws InterruptedException {
        CRC32 own = new CRC32();
        own.update(new byte[] {1, 2}, 0, 2);
        CRC32 shared = new CRC32();
        Thread other = new Thread(() -> bytes[0] = 5);
        other.start();
        shared.update(bytes, 0, 2);
        other.join();
        assert shared.getValue() == own.getValue(); // <- assertion
    }
}
