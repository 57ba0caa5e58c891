// expect: deadlock
import java.util.concurrent.*;

/** Two semaphores that are taken in opposite orders. */
class Permits {
    private final Semaphore printer = new Semaphore(1);
    private final Semaphore scanner = new Semaphore(1);

    void copy() throws InterruptedException {
        scanner.acquire();
        printer.acquire();
        printer.release();
        scanner.release();
    }

    void fax() throws InterruptedException {
        printer.acquire();
        scanner.acquire();
        scanner.release();
        printer.release();
    }

    public static void main(String[] args) throws Exception {
        Permits s = new Permits();
        Thread copier = new Thread(() -> { try { s.copy(); } catch (InterruptedException e) { } }, "copier");
        Thread fax = new Thread(() -> { try { s.fax(); } catch (InterruptedException e) { } }, "fax");
        copier.start();
        fax.start();
    }
}
