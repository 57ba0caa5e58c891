//@ exit: 1
/** A daemon does not keep the program alive; a user thread does, after main has failed. */
public class Daemons {
    public static void main(String[] args) throws Exception {
        Thread d = new Thread(() -> { synchronized (args) { while (true) try { args.wait(); } catch (InterruptedException e) { } } });
        d.setDaemon(true);
        d.start();
        Thread main = Thread.currentThread();
        Thread u = new Thread(() -> {
            try { main.join(); } catch (InterruptedException e) { }
            System.out.println("still running after main, child of a daemon: " + d.isDaemon());
        });
        u.start();
        System.out.println("main ends");
        throw new Exception("main failed");
    }
}
