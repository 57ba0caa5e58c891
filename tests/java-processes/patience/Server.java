import java.io.*;
import java.net.*;

/** Answers one request if it comes in time, and gives up otherwise. */
class Server {
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(9005)) {
            server.setSoTimeout(1000);
            try (Socket client = server.accept()) {
                client.setSoTimeout(1000);
                int asked = client.getInputStream().read();
                assert asked == 7 : asked;
                client.getOutputStream().write(asked + 1);
            }
        } catch (SocketTimeoutException late) {
            // Nobody came, or said anything.
        }
    }
}
