package raddle.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Tests by the engines of the JUnit platform: <code>list ENGINES PROPERTIES CLASS...</code> or
 * <code>run ENGINES PROPERTIES TEST...</code>. Of several tests the last one is checked; it needs those before it.
 */
public final class Platform {
    /** What <code>junit-platform.properties</code> says. */
    private static final Map<String, String> PROPERTIES = new LinkedHashMap<>();

    private Platform() {}

    public static void main(String[] arguments) throws Exception {
        List<String> rest = Arrays.asList(arguments).subList(3, arguments.length);
        for (String line : arguments[2].split("\u0003")) {
            int end = line.indexOf('=');
            if (end > 0) {
                PROPERTIES.put(line.substring(0, end).trim(), line.substring(end + 1).trim());
            }
        }
        List<TestEngine> engines = new ArrayList<>();
        for (String name : arguments[1].split(",")) {
            engines.add((TestEngine) Class.forName(name).getDeclaredConstructor().newInstance());
        }
        if (arguments[0].equals("run")) {
            run(engines, rest);
            return;
        }
        for (String name : rest) {
            Tests.of(name);
            for (TestEngine engine : engines) {
                try {
                    LauncherDiscoveryRequest request = request(DiscoverySelectors.selectClass(name));
                    TestDescriptor root =
                            engine.discover(request, UniqueId.forEngine(engine.getId()));
                    new Listing(engine, arguments[1], arguments[2]).list(root, request);
                } catch (Throwable thrown) {
                    Tests.unclear(name, thrown);
                }
            }
        }
    }

    private static LauncherDiscoveryRequest request(DiscoverySelector... selectors) {
        LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request();
        try {
            // There is no file to look for.
            builder.getClass()
                    .getMethod("enableImplicitConfigurationParameters", boolean.class)
                    .invoke(builder, false);
        } catch (ReflectiveOperationException thrown) {
            // Launchers before 1.7 look for it.
        }
        return builder.selectors(selectors)
                .configurationParameters(PROPERTIES)
                // A test that waits for ever is a deadlock, whatever the clock says.
                .configurationParameter("junit.jupiter.execution.timeout.mode", "disabled")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
    }

    private static void run(List<TestEngine> engines, List<String> ids) {
        DiscoverySelector[] selectors = new DiscoverySelector[ids.size()];
        for (int at = 0; at < selectors.length; at++) {
            selectors[at] = DiscoverySelectors.selectUniqueId(ids.get(at));
        }
        String last = ids.get(ids.size() - 1);
        LauncherConfig config = LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .addTestEngines(engines.toArray(new TestEngine[0]))
                .build();
        Launcher launcher = LauncherFactory.create(config);
        Tests tests = Tests.toRun();
        launcher.execute(request(selectors), new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier found, TestExecutionResult result) {
                boolean isIt = found.getUniqueId().equals(last);
                // Of those before it, which leave behind what the test needs, only success counts.
                boolean isEarlier = found.isTest() && !isIt;
                switch (result.getStatus()) {
                    case SUCCESSFUL:
                        if (isIt) {
                            tests.passed();
                        }
                        break;
                    case ABORTED:
                        tests.aborted();
                        break;
                    default:
                        if (isEarlier) {
                            tests.aborted();
                        }
                        tests.failed(result.getThrowable().orElseGet(AssertionError::new));
                }
            }
        });
        tests.end();
    }
}
