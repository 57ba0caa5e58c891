package raddle.engine;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.testng.IAnnotationTransformer;
import org.testng.IConfigurationListener;
import org.testng.IHookCallBack;
import org.testng.IHookable;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestNGListener;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.SkipException;
import org.testng.TestNG;
import org.testng.annotations.ITestAnnotation;
import org.testng.annotations.Test;

/**
 * Tests by TestNG: <code>list CLASS...</code> or <code>run CLASS TEST...</code>. A test is a method and
 * the number of its row of data, if it has data. Of several tests the last one is checked; it needs those before it.
 */
public final class TestNg {
    private TestNg() {}

    public static void main(String[] arguments) throws Exception {
        List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
        if (arguments[0].equals("run")) {
            run(Class.forName(rest.get(0)), rest.subList(1, rest.size()));
            return;
        }
        for (String name : rest) {
            Tests.of(name);
            try {
                list(Class.forName(name));
            } catch (Throwable thrown) {
                Tests.unclear(name, thrown);
            }
        }
    }

    private static void go(Class<?> type, Hook hook) {
        TestNG engine = new TestNG(false);
        engine.setVerbose(0);
        // Nothing is written there; a relative one would depend on where the program runs.
        engine.setOutputDirectory("/test-output");
        engine.setTestClasses(new Class<?>[] {type});
        ITestNGListener listener = hook;
        engine.addListener(listener);
        engine.run();
    }

    /** Stands between the engine and the methods of tests. */
    private abstract static class Hook
            implements IAnnotationTransformer, IHookable, ITestListener, IConfigurationListener {
        private final Map<Method, Integer> rows = new LinkedHashMap<>();

        abstract void call(String test, IHookCallBack method, ITestResult result);

        /** A test that waits for ever is a deadlock, whatever the clock says. */
        @Override
        @SuppressWarnings("rawtypes")
        public void transform(ITestAnnotation said, Class type, Constructor made, Method method) {
            said.setTimeOut(0);
            said.setInvocationTimeOut(0);
        }

        @Override
        public void run(IHookCallBack method, ITestResult result) {
            call(next(result), method, result);
        }

        /** What comes now: the method, and which row of its data. */
        private synchronized String next(ITestResult result) {
            Method method = method(result);
            String name = name(method, result.getTestClass().getRealClass());
            return hasRows(method) ? name + "[" + rows.merge(method, 1, Integer::sum) + "]" : name;
        }

        static boolean hasRows(Method method) {
            Test said = method.getAnnotation(Test.class);
            return said != null && !said.dataProvider().isEmpty();
        }

        static String name(Method method, Class<?> type) {
            Class<?> declaring = method.getDeclaringClass();
            return declaring == type
                    ? method.getName()
                    : declaring.getSimpleName() + "." + method.getName();
        }

        static Method method(ITestResult result) {
            return result.getMethod().getConstructorOrMethod().getMethod();
        }

        @Override
        public void onTestStart(ITestResult result) {}

        @Override
        public void onTestSuccess(ITestResult result) {}

        @Override
        public void onTestFailure(ITestResult result) {}

        @Override
        public void onTestSkipped(ITestResult result) {}

        @Override
        public void onTestFailedButWithinSuccessPercentage(ITestResult result) {}

        @Override
        public void onStart(ITestContext context) {}

        @Override
        public void onFinish(ITestContext context) {}

        @Override
        public void onConfigurationSuccess(ITestResult result) {}

        @Override
        public void onConfigurationFailure(ITestResult result) {}

        @Override
        public void onConfigurationSkip(ITestResult result) {}
    }

    /** All is run but the tests themselves: so it is known which rows of data there are. */
    private static void list(Class<?> type) {
        if (!isMeant(type)) {
            return;
        }
        String prefix = type.getName().replace('$', '.') + ".";
        go(type, new Hook() {
            @Override
            public void onStart(ITestContext context) {
                Map<String, List<String>> before = new LinkedHashMap<>();
                for (ITestNGMethod it : context.getAllTestMethods()) {
                    Method method = it.getConstructorOrMethod().getMethod();
                    if (hasRows(method)) {
                        continue;
                    }
                    Set<String> needed = new LinkedHashSet<>();
                    for (String one : it.getMethodsDependedUpon()) {
                        needed.addAll(before.getOrDefault(one, all(before)));
                    }
                    found(name(method, type), method, new ArrayList<>(needed));
                    needed.add(name(method, type));
                    String full = it.getRealClass().getName() + "." + it.getMethodName();
                    before.put(full, new ArrayList<>(needed));
                }
            }

            @Override
            synchronized void call(String test, IHookCallBack method, ITestResult result) {
                if (hasRows(method(result))) {
                    found(test, method(result), new ArrayList<>());
                }
            }

            private void found(String test, Method method, List<String> needed) {
                List<String> arguments = new ArrayList<>(Arrays.asList("run", type.getName()));
                arguments.addAll(needed);
                arguments.add(test);
                Test said = method.getAnnotation(Test.class);
                boolean isTimed = said != null && (said.timeOut() > 0 || said.invocationTimeOut() > 0);
                Tests.found(prefix + test, arguments, isTimed, false);
            }

            @Override
            public void onTestSkipped(ITestResult result) {
                if (hasRows(method(result))) {
                    Tests.unclear(prefix + method(result).getName(), result.getThrowable());
                }
            }

            @Override
            public void onConfigurationFailure(ITestResult result) {
                Tests.unclear(type.getName(), result.getThrowable());
            }
        });
        for (Method method : type.getMethods()) {
            Test said = method.getAnnotation(Test.class);
            if (said != null && !said.enabled()) {
                Tests.skipped(prefix + method.getName(), "it is disabled");
            }
        }
    }

    private static List<String> all(Map<String, List<String>> before) {
        Set<String> all = new LinkedHashSet<>();
        before.values().forEach(all::addAll);
        return new ArrayList<>(all);
    }

    /** Whether a class is for this engine. */
    private static boolean isMeant(Class<?> type) {
        for (Class<?> it = type; it != null; it = it.getSuperclass()) {
            List<AnnotatedElement> all = new ArrayList<>(Arrays.asList(it.getDeclaredMethods()));
            all.add(it);
            if (Tests.any(all, one -> ((AnnotatedElement) one).isAnnotationPresent(Test.class))) {
                return true;
            }
        }
        return false;
    }

    private static void run(Class<?> type, List<String> wanted) {
        Tests tests = Tests.toRun();
        String last = wanted.get(wanted.size() - 1);
        Map<ITestResult, String> called = new LinkedHashMap<>();
        go(type, new Hook() {
            @Override
            void call(String test, IHookCallBack method, ITestResult result) {
                if (wanted.contains(test)) {
                    synchronized (this) {
                        called.put(result, test);
                    }
                    method.runTestMethod(result);
                }
            }

            private synchronized boolean isIt(ITestResult result) {
                return last.equals(called.get(result));
            }

            @Override
            public void onTestSuccess(ITestResult result) {
                if (isIt(result)) {
                    tests.passed();
                }
            }

            @Override
            public void onTestFailure(ITestResult result) {
                // Of those before it, which leave behind what the test needs, only success counts. One that is
                // not wanted does nothing, and fails if it should have done something.
                if (isIt(result)) {
                    tests.failed(result.getThrowable());
                } else if (called.containsKey(result)) {
                    tests.aborted();
                }
            }

            @Override
            public void onTestFailedButWithinSuccessPercentage(ITestResult result) {
                onTestSuccess(result);
            }

            @Override
            public void onTestSkipped(ITestResult result) {
                if (isIt(result) || result.getThrowable() instanceof SkipException) {
                    tests.aborted();
                }
            }

            @Override
            public void onConfigurationFailure(ITestResult result) {
                tests.failed(result.getThrowable());
            }
        });
        tests.end();
    }
}
