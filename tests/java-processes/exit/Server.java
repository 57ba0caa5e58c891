import java.io.*;
import java.net.*;

/** Ends without closing anything. */
class Server {
    public static void main(String[] args) throws IOException {
        ServerSocket server = new ServerSocket(9005);
        server.accept();
        System.exit(0);
    }
}
