// expect: assertion
// getVolatile and setVolatile of a VarHandle are two operations.
import java.lang.invoke.*;
public class VarHandleLostUpdate {
  int x; static final VarHandle X;
  static { try { X = MethodHandles.lookup().findVarHandle(VarHandleLostUpdate.class, "x", int.class); } catch (Exception e) { throw new Error(e); } }
  public static void main(String[] a) throws Exception {
    VarHandleLostUpdate v = new VarHandleLostUpdate();
    Thread t = new Thread(() -> { X.setVolatile(v, (int) X.getVolatile(v) + 1); }); t.start();
    X.getAndAdd(v, 1); t.join(); assert (int) X.get(v) == 2; // <- assertion
  }
}
