import java.io.*;
import java.net.*;

/** Ends without having read everything. */
class Server {
    public static void main(String[] args) throws IOException {
        ServerSocket server = new ServerSocket(9004);
        Socket client = server.accept();
        client.getInputStream().read();
    }
}
