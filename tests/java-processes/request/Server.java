import java.io.*;
import java.net.*;

/** Answers one request. */
class Server {
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(8080);
                Socket client = server.accept()) {
            var in = new BufferedReader(new InputStreamReader(client.getInputStream()));
            var out = new PrintWriter(client.getOutputStream(), true);
            out.println("hello " + in.readLine());
        }
    }
}
