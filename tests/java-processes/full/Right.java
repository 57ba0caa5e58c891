import java.io.*;
import java.net.*;

/** Writes all that it has before it reads. */
class Right {
    public static void main(String[] args) throws IOException {
        try (Socket left = new Socket("localhost", 9003)) {
            left.getOutputStream().write(new byte[100_000]);
            left.getInputStream().readNBytes(100_000);
        } catch (ConnectException nobody) {
            // Too early. The other one waits for ever, which is a deadlock, too.
        }
    }
}
