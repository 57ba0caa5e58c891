import java.net.*;

class Sender {
    public static void main(String[] args) throws Exception {
        new DatagramSocket(9006).close();
    }
}
