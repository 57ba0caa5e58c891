import java.io.*;
import java.net.*;

class Server {
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(8080)) {
            server.setSoTimeout(1000);
            server.accept().close();
        } catch (SocketTimeoutException nobody) {
            // That is no mistake of ours.
        }
    }
}
