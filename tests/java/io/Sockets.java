import java.io.*;
import java.net.*;
import java.util.Arrays;

/** Stream sockets between threads of one program, and how their ends see each other. */
class Sockets {
    public static void main(String[] args) throws Exception {
        lines();
        ends();
        resets();
        failures();
    }

    static void lines() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            Thread echo = new Thread(() -> {
                try (Socket client = server.accept()) {
                    var in = new BufferedReader(new InputStreamReader(client.getInputStream()));
                    var out = new PrintWriter(client.getOutputStream(), true);
                    for (String line; (line = in.readLine()) != null;) {
                        out.println("echo " + line);
                    }
                } catch (IOException e) {
                    System.out.println("server: " + e);
                }
            });
            echo.start();
            try (Socket socket = new Socket("localhost", server.getLocalPort())) {
                var in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                var out = new PrintWriter(socket.getOutputStream(), true);
                out.println("one");
                System.out.println(in.readLine());
                out.println("two");
                System.out.println(in.readLine());
                socket.shutdownOutput();
                System.out.println(in.readLine());
                System.out.println(socket.getInetAddress() + " " + socket.isConnected());
            }
            echo.join();
        }
    }

    static void ends() throws Exception {
        try (ServerSocket server = new ServerSocket(0);
                Socket left = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                Socket right = server.accept()) {
            System.out.println(left.getLocalPort() == right.getPort());
            System.out.println(right.getLocalPort() == server.getLocalPort());
            left.getOutputStream().write(new byte[] {1, 2, 3});
            System.out.println(right.getInputStream().available());
            byte[] got = new byte[10];
            System.out.println(right.getInputStream().read(got, 1, 2) + Arrays.toString(got));
            System.out.println(right.getInputStream().read());
            right.setSoTimeout(20);
            System.out.println(right.getSoTimeout());
            tell("read", () -> right.getInputStream().read());
            tell("too much", () -> right.getInputStream().read(got, 5, 6));
            left.shutdownOutput();
            System.out.println(right.getInputStream().read());
            tell("write after shutdown", () -> left.getOutputStream().write(1));
            right.getOutputStream().write(9);
            right.close();
            System.out.println(left.getInputStream().read() + " " + left.getInputStream().read());
            tell("read after close", () -> right.getInputStream().read());
            System.out.println(left.isClosed() + " " + right.isClosed());
        }
    }

    static void resets() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            Socket left = new Socket("127.0.0.1", server.getLocalPort());
            Socket right = server.accept();
            left.getOutputStream().write(1);
            // Until it has come.
            while (right.getInputStream().available() == 0) Thread.sleep(1);
            right.close();
            System.out.println(left.getInputStream().read());
            Thread.sleep(50);
            tell("unread", () -> left.getOutputStream().write(1));
            left.close();

            Socket near = new Socket("127.0.0.1", server.getLocalPort());
            Socket far = server.accept();
            far.close();
            System.out.println(near.getInputStream().read());
            near.getOutputStream().write(1);
            Thread.sleep(50);
            tell("broken", () -> near.getOutputStream().write(1));
            near.close();
        }
    }

    static void failures() throws Exception {
        ServerSocket server = new ServerSocket(0);
        int port = server.getLocalPort();
        server.setSoTimeout(20);
        tell("accept", server::accept);
        tell("bind", () -> new ServerSocket(port));
        Thread closer = new Thread(() -> {
            try {
                Thread.sleep(50);
                server.close();
            } catch (Exception e) {
                System.out.println(e);
            }
        });
        server.setSoTimeout(0);
        closer.start();
        tell("close", server::accept);
        closer.join();
        tell("connect", () -> new Socket("localhost", port));
        tell("not connected", () -> new Socket().getInputStream());
    }

    interface Action {
        void run() throws Exception;
    }

    static void tell(String what, Action action) {
        try {
            action.run();
            System.out.println(what + ": nothing happens");
        } catch (Exception e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }
}
