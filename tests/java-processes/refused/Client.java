import java.io.*;
import java.net.*;

/** Takes it for granted that the server listens. */
class Client {
    public static void main(String[] args) throws IOException {
        new Socket("localhost", 8080).close();
    }
}
