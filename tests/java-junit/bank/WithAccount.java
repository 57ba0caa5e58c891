package bank;

import org.junit.Before;

abstract class WithAccount {
    Account account;

    @Before
    public void open() {
        account = new Account(10);
    }

    static void together(Runnable first, Runnable second) throws InterruptedException {
        Thread other = new Thread(first);
        other.start();
        second.run();
        other.join();
    }
}
