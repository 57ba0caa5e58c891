import java.io.*;
import java.net.*;

class Right {
    public static void main(String[] args) throws IOException {
        Socket left = null;
        while (left == null) {
            try {
                left = new Socket("localhost", 9000);
            } catch (ConnectException nobody) {
                Thread.yield();
            }
        }
        // The other one should begin, it thinks.
        int got = left.getInputStream().read();
        left.getOutputStream().write(got + 1);
        left.close();
    }
}
