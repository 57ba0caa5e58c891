import java.util.concurrent.atomic.AtomicBoolean;

/** An account with a lock of its own making. Who finds too little there goes away with the lock. */
class EarlyReturn {
  static final AtomicBoolean taken = new AtomicBoolean();
  static int balance = 10;

  static void withdraw(int amount) {
    while (!taken.compareAndSet(false, true)) {
      Thread.onSpinWait();
    }
    if (balance < amount) {
      return;
    }
    balance -= amount;
    taken.set(false);
  }

  public static void main(String[] arguments) {
    new Thread(() -> withdraw(6)).start();
    new Thread(() -> withdraw(6)).start();
    withdraw(4);
  }
}
