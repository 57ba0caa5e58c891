import java.io.*;
import java.net.*;

/** Expects that what belongs together comes together. */
class Reader {
    public static void main(String[] args) throws IOException {
        ServerSocket server = new ServerSocket(9002);
        InputStream in = server.accept().getInputStream();
        byte[] message = new byte[10];
        int length = in.read(message);
        assert length == 4 : length;
    }
}
