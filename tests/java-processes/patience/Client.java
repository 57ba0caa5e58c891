import java.io.*;
import java.net.*;

/** Asks once. Whatever goes wrong, an answer is the right one. */
class Client {
    public static void main(String[] args) throws IOException {
        try (Socket server = new Socket("localhost", 9005)) {
            server.getOutputStream().write(7);
            int answer = server.getInputStream().read();
            assert answer == 8 || answer == -1 : answer;
        } catch (SocketException gone) {
            // Nobody was there, or not any more.
        }
    }
}
