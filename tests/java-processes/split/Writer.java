import java.io.*;
import java.net.*;

/** Sends a message in two parts. */
class Writer {
    public static void main(String[] args) throws IOException {
        try (Socket socket = new Socket("localhost", 9002)) {
            OutputStream out = socket.getOutputStream();
            out.write(new byte[] {1, 2});
            out.write(new byte[] {3, 4});
        } catch (IOException nobody) {
            // Nobody wants it, or not all of it.
            System.exit(0);
        }
    }
}
