import java.io.*;
import java.net.*;

/** Sends one number. */
class Client {
    public static void main(String[] args) throws IOException {
        Socket server = null;
        while (server == null) {
            try {
                server = new Socket("localhost", 9001);
            } catch (ConnectException nobody) {
                Thread.yield();
            }
        }
        server.getOutputStream().write(Integer.parseInt(args[0]));
        server.close();
    }
}
