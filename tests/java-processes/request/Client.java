import java.io.*;
import java.net.*;

/** Asks until somebody is there. */
class Client {
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        try (Socket socket = connect(port)) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            var out = new PrintWriter(socket.getOutputStream(), true);
            out.println("world");
            String answer = in.readLine();
            assert answer.equals("hello world") : answer;
            assert in.readLine() == null;
        }
    }

    static Socket connect(int port) throws IOException {
        while (true) {
            try {
                return new Socket("localhost", port);
            } catch (ConnectException nobody) {
                Thread.yield();
            }
        }
    }
}
