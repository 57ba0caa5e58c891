import java.io.*;
import java.net.*;

class Left {
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(9000);
                Socket right = server.accept()) {
            // The other one should begin, it thinks.
            int got = right.getInputStream().read();
            right.getOutputStream().write(got + 1);
        }
    }
}
