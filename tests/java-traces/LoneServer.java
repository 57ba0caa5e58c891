// expect: deadlock
import java.net.ServerSocket;

/** A server that waits for a client, which there is none. */
class LoneServer {
    public static void main(String[] args) throws Exception {
        try (ServerSocket server = new ServerSocket(8080)) {
            server.accept().close();
        }
    }
}
