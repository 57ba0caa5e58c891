package raddle.engine;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.engine.support.hierarchical.EngineExecutionContext;
import org.junit.platform.engine.support.hierarchical.HierarchicalTestEngine;
import org.junit.platform.engine.support.hierarchical.Node;
import org.junit.platform.launcher.LauncherDiscoveryRequest;

/**
 * The tests that an engine finds. What it decides or makes only while it runs (conditions, the
 * arguments of tests, dynamic tests) is known by running all but the tests themselves.
 */
final class Listing {
    private final TestEngine engine;
    /** The first arguments of the driver. */
    private final List<String> given;
    /** Tests that have to be run before the next one. */
    private final List<String> before = new ArrayList<>();

    Listing(TestEngine engine, String engines, String properties) {
        this.engine = engine;
        this.given = Arrays.asList("run", engines, properties);
    }

    void list(TestDescriptor root, LauncherDiscoveryRequest discovery) throws Exception {
        if (!(root instanceof Node) || !(engine instanceof HierarchicalTestEngine)) {
            plain(root);
            return;
        }
        Method make = HierarchicalTestEngine.class.getDeclaredMethod(
                "createExecutionContext", ExecutionRequest.class);
        make.setAccessible(true);
        ExecutionRequest request = request(root, discovery);
        EngineExecutionContext context = (EngineExecutionContext) make.invoke(engine, request);
        visit(root, context);
    }

    /** Only a launcher makes such requests, and with each version they have more. */
    private static ExecutionRequest request(TestDescriptor root, LauncherDiscoveryRequest discovery)
            throws Exception {
        Method best = null;
        for (Method it : ExecutionRequest.class.getMethods()) {
            boolean isMore = best == null || it.getParameterCount() > best.getParameterCount();
            if (it.getName().equals("create") && Modifier.isStatic(it.getModifiers()) && isMore) {
                best = it;
            }
        }
        if (best == null || best.getParameterCount() == 3) {
            return new ExecutionRequest(
                    root, EngineExecutionListener.NOOP, discovery.getConfigurationParameters());
        }
        List<Object> arguments = new ArrayList<>();
        for (Class<?> type : best.getParameterTypes()) {
            arguments.add(argument(type, root, discovery));
        }
        return (ExecutionRequest) best.invoke(null, arguments.toArray());
    }

    private static Object argument(Class<?> type, TestDescriptor root, LauncherDiscoveryRequest discovery)
            throws Exception {
        Object[] known = {root, EngineExecutionListener.NOOP, discovery.getConfigurationParameters()};
        for (Object it : known) {
            if (type.isInstance(it)) {
                return it;
            }
        }
        if (type.getSimpleName().equals("NamespacedHierarchicalStore")) {
            Object session = type.getConstructor(type).newInstance((Object) null);
            return type.getConstructor(type).newInstance(session);
        }
        if (type.getSimpleName().equals("CancellationToken")) {
            return type.getMethod("disabled").invoke(null);
        }
        Class<?>[] types = {type};
        return Proxy.newProxyInstance(type.getClassLoader(), types, (proxy, method, given) -> null);
    }

    /** An engine with a way of its own to run tests. */
    private void plain(TestDescriptor found) {
        for (TestDescriptor inner : found.getChildren()) {
            plain(inner);
        }
        if (found.isTest()) {
            test(found, false);
        }
    }

    /** The same calls as when the engine runs them, but for those of tests. */
    @SuppressWarnings("unchecked")
    private <C extends EngineExecutionContext> void visit(TestDescriptor found, C around) {
        Node<C> node = (Node<C>) found;
        C context;
        try {
            context = node.prepare(around);
            Node.SkipResult skip = node.shouldBeSkipped(context);
            if (skip.isSkipped()) {
                Tests.skipped(name(found), skip.getReason().orElse("it is disabled"));
                return;
            }
        } catch (Throwable thrown) {
            // It fails in the same way when it is checked.
            plain(found);
            return;
        }
        if (found.isTest()) {
            boolean isRepeated = isRepeated(found);
            if (!isRepeated || found.getUniqueId().toString().endsWith("#1]")) {
                test(found, isRepeated);
            }
            clean(node, context);
            return;
        }
        try {
            C inside = node.before(context);
            C executed = node.execute(inside, new Node.DynamicTestExecutor() {
                @Override
                public void execute(TestDescriptor dynamic) {
                    visit(dynamic, inside);
                }

                @Override
                public java.util.concurrent.Future<?> execute(
                        TestDescriptor dynamic, EngineExecutionListener listener) {
                    visit(dynamic, inside);
                    return java.util.concurrent.CompletableFuture.completedFuture(null);
                }

                @Override
                public void awaitFinished() {}
            });
            for (TestDescriptor inner : new ArrayList<>(found.getChildren())) {
                visit(inner, executed);
            }
            node.after(executed);
            node.cleanUp(executed);
        } catch (Throwable thrown) {
            plain(found);
        }
        if (!found.getParent().map(Listing::isOrdered).orElse(false)) {
            before.clear();
        }
    }

    private static <C extends EngineExecutionContext> void clean(Node<C> node, C context) {
        try {
            node.cleanUp(context);
        } catch (Throwable thrown) {
            // It does so when the test is checked, too.
        }
    }

    private void test(TestDescriptor found, boolean isRepeated) {
        List<String> arguments = new ArrayList<>(given);
        arguments.addAll(before);
        arguments.add(found.getUniqueId().toString());
        Tests.found(name(found), arguments, hasLimit(found), isRepeated);
        if (isOrdered(found)) {
            before.add(found.getUniqueId().toString());
        }
    }

    /** The class and the method, and the numbers of what the method makes. */
    private static String name(TestDescriptor found) {
        StringBuilder numbers = new StringBuilder();
        for (TestDescriptor it = found; it != null; it = it.getParent().orElse(null)) {
            UniqueId.Segment last = it.getUniqueId().getLastSegment();
            if (last.getValue().startsWith("#")) {
                numbers.insert(0, "[" + last.getValue().substring(1) + "]");
                continue;
            }
            TestSource source = it.getSource().orElse(null);
            if (source instanceof MethodSource) {
                MethodSource method = (MethodSource) source;
                return method.getClassName().replace('$', '.') + "." + method.getMethodName() + numbers;
            }
            if (source instanceof ClassSource) {
                String type = ((ClassSource) source).getClassName().replace('$', '.');
                return it == found ? type : type + "." + found.getDisplayName() + numbers;
            }
        }
        return found.getDisplayName();
    }

    private static List<AnnotatedElement> elements(TestDescriptor found) {
        List<AnnotatedElement> all = new ArrayList<>();
        for (TestDescriptor it = found; it != null; it = it.getParent().orElse(null)) {
            TestSource source = it.getSource().orElse(null);
            try {
                if (source instanceof MethodSource) {
                    MethodSource method = (MethodSource) source;
                    Class<?> type = Class.forName(method.getClassName());
                    for (Class<?> in = type; in != null; in = in.getSuperclass()) {
                        for (Method declared : in.getDeclaredMethods()) {
                            if (declared.getName().equals(method.getMethodName())) {
                                all.add(declared);
                            }
                        }
                    }
                } else if (source instanceof ClassSource) {
                    all.add(((ClassSource) source).getJavaClass());
                }
            } catch (Throwable thrown) {
                // Then it says nothing.
            }
        }
        return all;
    }

    private static boolean has(TestDescriptor found, String annotation) {
        return Tests.any(elements(found), it -> find((AnnotatedElement) it, annotation) != null);
    }

    @SuppressWarnings("unchecked")
    private static Object find(AnnotatedElement element, String annotation) {
        try {
            Class<?> type = Class.forName("org.junit.jupiter.api." + annotation);
            Optional<?> found = AnnotationSupport.findAnnotation(
                    element, (Class<java.lang.annotation.Annotation>) type);
            return found.orElse(null);
        } catch (ClassNotFoundException thrown) {
            return null;
        }
    }

    private static boolean hasLimit(TestDescriptor found) {
        return has(found, "Timeout");
    }

    /** Repetitions that cannot know which of them they are. */
    private static boolean isRepeated(TestDescriptor found) {
        for (AnnotatedElement it : elements(found)) {
            if (it instanceof Method && find(it, "RepeatedTest") != null) {
                return ((Method) it).getParameterCount() == 0;
            }
        }
        return false;
    }

    /** Whether tests of a class may rely on those before them. */
    private static boolean isOrdered(TestDescriptor found) {
        for (AnnotatedElement it : elements(found)) {
            Object lifecycle = find(it, "TestInstance");
            boolean isShared = lifecycle != null && lifecycle.toString().contains("PER_CLASS");
            if (isShared || find(it, "TestMethodOrder") != null) {
                return true;
            }
        }
        return false;
    }
}
