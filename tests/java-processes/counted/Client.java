import java.io.*;
import java.net.*;

/** Sends numbers, each over a connection of its own. */
class Client {
    public static void main(String[] args) throws IOException {
        for (String number : args) {
            Socket server = null;
            while (server == null) {
                try {
                    server = new Socket("localhost", 9001);
                } catch (ConnectException nobody) {
                    Thread.yield();
                }
            }
            server.getOutputStream().write(Integer.parseInt(number));
            server.close();
        }
    }
}
