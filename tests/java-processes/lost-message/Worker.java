import java.io.*;
import java.net.*;

/** Sends what it has found and goes: what was written was received, it thinks. */
class Worker {
    static boolean isTold;

    public static void main(String[] args) throws IOException {
        try (Socket collector = new Socket("localhost", 9006)) {
            collector.getOutputStream().write(42);
            isTold = true;
            int seen = collector.getInputStream().read();
            assert !isTold || seen == 42 : "the message is lost";
        } catch (SocketException nobody) {
            assert !isTold;
        }
    }
}
