import java.io.*;
import java.net.*;

/** Sees the end of the other process as the end of its stream. */
class Client {
    public static void main(String[] args) throws IOException {
        Socket server = null;
        while (server == null) {
            try {
                server = new Socket("localhost", 9005);
            } catch (ConnectException nobody) {
                Thread.yield();
            }
        }
        int got = server.getInputStream().read();
        assert got == -1 : got;
    }
}
