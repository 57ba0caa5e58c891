import java.io.*;
import java.net.*;

/** Writes all that it has before it reads. */
class Left {
    public static void main(String[] args) throws IOException {
        ServerSocket server = new ServerSocket(9003);
        Socket right = server.accept();
        right.getOutputStream().write(new byte[100_000]);
        right.getInputStream().readNBytes(100_000);
    }
}
