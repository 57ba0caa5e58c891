import java.io.*;
import java.net.*;

/** Adds up what two clients send. */
class Server {
    static int sum;

    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(9001);
        Thread[] handlers = new Thread[2];
        for (int i = 0; i < 2; i++) {
            Socket client = server.accept();
            handlers[i] = new Thread(() -> handle(client));
            handlers[i].start();
        }
        for (Thread handler : handlers) handler.join();
        assert sum == 7 : sum;
    }

    static void handle(Socket client) {
        try {
            int got = client.getInputStream().read();
            add(got);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static synchronized void add(int got) {
        sum += got;
    }
}
