import java.io.*;
import java.net.*;

/** Closes the connection when it takes too long, even if the message has just come. */
class Collector {
    public static void main(String[] args) throws IOException {
        try (ServerSocket door = new ServerSocket(9006)) {
            door.setSoTimeout(1000);
            try (Socket worker = door.accept()) {
                worker.setSoTimeout(100);
                worker.getOutputStream().write(worker.getInputStream().read());
            }
        } catch (SocketTimeoutException late) {
            // It may come again.
        }
    }
}
