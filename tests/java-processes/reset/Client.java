import java.io.*;
import java.net.*;

class Client {
    public static void main(String[] args) throws IOException {
        Socket server = null;
        while (server == null) {
            try {
                server = new Socket("localhost", 9004);
            } catch (ConnectException nobody) {
                Thread.yield();
            }
        }
        server.getOutputStream().write(new byte[] {1, 2});
        // Fails if the other one has gone with something unread.
        server.getInputStream().read();
    }
}
