// expect: holds
// A stack walker gives classes away only if that was asked for.
public class WalkedWithoutClasses {
    static boolean isRefused(Runnable asks) {
        try {
            asks.run();
            return false;
        } catch (UnsupportedOperationException e) {
            return true;
        }
    }

    public static void main(String[] args) {
        StackWalker plain = StackWalker.getInstance();
        assert isRefused(plain::getCallerClass);
        assert isRefused(() -> plain.forEach(StackWalker.StackFrame::getDeclaringClass));
        StackWalker open = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        open.forEach(frame -> {
            assert frame.getClassName().equals(frame.getDeclaringClass().getName());
        });
    }
}
