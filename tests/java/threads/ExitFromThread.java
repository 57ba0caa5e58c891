//@ exit: 7
/** System.exit in a thread ends the whole program although main waits. */
public class ExitFromThread {
    public static void main(String[] args) throws InterruptedException {
        System.out.println("start");
        Thread t = new Thread(() -> {
            System.out.println("leaving");
            System.exit(7);
        });
        t.start();
        synchronized (args) { while (true) args.wait(); }
    }
}
