package raddle.engine;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.FixMethodOrder;
import org.junit.Ignore;
import org.junit.Rule;
import org.junit.Test;
import org.junit.internal.runners.ErrorReportingRunner;
import org.junit.rules.Timeout;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/** Tests by the runners of JUnit 4: <code>list CLASS...</code> or <code>run CLASS TEST...</code>. */
public final class JUnit4 {
    private JUnit4() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("list")) {
            for (String name : Arrays.asList(arguments).subList(1, arguments.length)) {
                Tests.of(name);
                try {
                    list(Class.forName(name));
                } catch (Throwable thrown) {
                    Tests.unclear(name, thrown);
                }
            }
            return;
        }
        Set<String> wanted = new LinkedHashSet<>(Arrays.asList(arguments).subList(2, arguments.length));
        run(Class.forName(arguments[1]), wanted, arguments[arguments.length - 1]);
    }

    private static void list(Class<?> type) {
        Runner runner = Request.aClass(type).getRunner();
        if (runner instanceof ErrorReportingRunner && !isMeant(type)) {
            return;
        }
        Ignore ignored = type.getAnnotation(Ignore.class);
        if (ignored != null) {
            Tests.skipped(type.getName().replace('$', '.'), why(ignored));
            return;
        }
        List<String> before = new ArrayList<>(Arrays.asList("run", type.getName()));
        boolean isOrdered = type.getAnnotation(FixMethodOrder.class) != null;
        list(runner.getDescription(), type, before, isOrdered);
    }

    /** Whether a class without tests that can be run is for this engine all the same. */
    private static boolean isMeant(Class<?> type) {
        for (Class<?> it = type; it != null; it = it.getSuperclass()) {
            for (java.lang.reflect.Method method : it.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    return true;
                }
            }
        }
        return type.isAnnotationPresent(org.junit.runner.RunWith.class);
    }

    private static void list(Description found, Class<?> type, List<String> before, boolean isOrdered) {
        for (Description inner : found.getChildren()) {
            list(inner, type, before, isOrdered);
        }
        if (!found.isTest() || found.getMethodName() == null) {
            return;
        }
        String name = found.getClassName().replace('$', '.') + "." + found.getMethodName();
        Ignore ignored = found.getAnnotation(Ignore.class);
        if (ignored != null) {
            Tests.skipped(name, why(ignored));
            return;
        }
        List<String> arguments = new ArrayList<>(before);
        arguments.add(found.getDisplayName());
        Test test = found.getAnnotation(Test.class);
        Tests.found(name, arguments, test != null && test.timeout() > 0 || hasLimit(type), false);
        if (isOrdered) {
            before.add(found.getDisplayName());
        }
    }

    private static boolean hasLimit(Class<?> type) {
        for (Class<?> it = type; it != null; it = it.getSuperclass()) {
            for (java.lang.reflect.Field field : it.getDeclaredFields()) {
                if (field.getType() == Timeout.class && isRule(field.getAnnotations())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isRule(Annotation[] annotations) {
        return Tests.any(Arrays.asList(annotations), it -> it instanceof Rule
                || it instanceof org.junit.ClassRule);
    }

    private static String why(Ignore ignored) {
        return ignored.value().isEmpty() ? "it is disabled" : ignored.value();
    }

    private static void run(Class<?> type, Set<String> wanted, String last) {
        Tests tests = Tests.toRun();
        Request request = Request.aClass(type).filterWith(new Filter() {
            @Override
            public boolean shouldRun(Description found) {
                return found.isTest()
                        ? wanted.contains(found.getDisplayName())
                        : Tests.any(found.getChildren(), it -> shouldRun((Description) it));
            }

            @Override
            public String describe() {
                return last;
            }
        });
        // What else JUnit does around that is to measure time.
        RunNotifier notifier = new RunNotifier();
        notifier.addListener(new RunListener() {
            // Of those before it, which leave behind what the test needs, only success counts.
            private void earlier(Description found) {
                if (found.isTest() && !found.getDisplayName().equals(last)) {
                    tests.aborted();
                }
            }

            @Override
            public void testFinished(Description found) {
                if (found.getDisplayName().equals(last)) {
                    tests.passed();
                }
            }

            @Override
            public void testFailure(Failure failure) {
                earlier(failure.getDescription());
                tests.failed(failure.getException());
            }

            @Override
            public void testAssumptionFailure(Failure failure) {
                tests.aborted();
            }
        });
        request.getRunner().run(notifier);
        tests.end();
    }
}
