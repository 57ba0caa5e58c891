package raddle.engine;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Predicate;
import raddle.Check;

/** What the drivers of all engines say: which tests there are, and how one of them ended. */
final class Tests {
    // A test may replace it.
    private static final PrintStream OUT = System.out;

    private Throwable failure;
    private boolean isAborted;
    private boolean isRun;

    private Tests() {}

    static Tests toRun() {
        return new Tests();
    }

    /** What follows is about this class. */
    static void of(String type) {
        say("class", type, "");
    }

    /** There is a test, which these arguments run. */
    static void found(String name, List<String> arguments, boolean isTimed, boolean isRepeated) {
        String flags = (isTimed ? "timed " : "") + (isRepeated ? "repeated" : "");
        say("test", name, flags + "\t" + String.join("\u0002", arguments));
    }

    static void skipped(String name, String why) {
        say("skipped", name, clean(why));
    }

    /** A test or a class that the engine cannot list. */
    static void unclear(String name, Throwable why) {
        say("unclear", name, clean(String.valueOf(why)));
    }

    private static void say(String what, String name, String rest) {
        OUT.println("\u0001" + what + "\t" + clean(name) + "\t" + rest);
    }

    private static String clean(String text) {
        StringBuilder out = new StringBuilder();
        for (char it : String.valueOf(text).toCharArray()) {
            out.append(it < ' ' ? ' ' : it);
        }
        return out.toString();
    }

    void passed() {
        isRun = true;
    }

    /** Only the first failure counts; others may follow from it. */
    void failed(Throwable thrown) {
        isRun = true;
        if (failure == null && !isAborted) {
            failure = thrown;
        }
    }

    /** An assumption failed: the execution does not count. */
    void aborted() {
        isRun = true;
        isAborted = isAborted || failure == null;
    }

    /** What came of the test becomes what comes of the program. */
    void end() {
        if (failure != null) {
            Tests.<RuntimeException>sneak(failure);
        }
        Check.assume(!isAborted);
        if (!isRun) {
            notRun();
        }
    }

    /** Known by its name: there is no verdict on a test that the engine has not run. */
    private static native void notRun();

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    static boolean any(Iterable<?> all, Predicate<Object> wanted) {
        for (Object one : all) {
            if (wanted.test(one)) {
                return true;
            }
        }
        return false;
    }
}
