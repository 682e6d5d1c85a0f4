package dev.orrery.conformance.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.orrery.conformance.golden.Containers.Spread;
import dev.orrery.conformance.javascript.NodeSuite;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Locale;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The golden corpus over HTTP: what the language says is what users of the SDKs get. */
@Execution(ExecutionMode.CONCURRENT)
class GoldenIT {
    @ParameterizedTest
    @EnumSource
    void throughTheJavaSdk(Spread spread) throws IOException {
        var database = "golden-java-" + spread.name().toLowerCase(Locale.ROOT);
        var containers = new Containers(new WireClient(SharedServer.running()), database, spread);
        try (var asker = new JavaAsker(SharedServer.running(), database)) {
            replay(asker, containers, spread);
        }
    }

    @ParameterizedTest
    @EnumSource
    void throughTheJavaScriptSdk(Spread spread) throws IOException {
        var missing = NodeSuite.missing();
        assumeTrue(missing.isEmpty(), missing);
        NodeSuite.install();
        var database = "golden-js-" + spread.name().toLowerCase(Locale.ROOT);
        var containers = new Containers(new WireClient(SharedServer.running()), database, spread);
        try (var asker = new JavaScriptAsker(SharedServer.running(), database)) {
            replay(asker, containers, spread);
        }
    }

    private static void replay(Asker asker, Containers containers, Spread spread) throws IOException {
        var faults = new ArrayList<String>();
        int compared = 0;
        for (var statement : Statement.all()) {
            if (Expectation.SKIPPED.keySet().stream().anyMatch(statement::mentions)) {
                continue;
            }
            var answer = asker.ask(containers.holding(statement), statement.text(), statement.parameters());
            var fault = new Expectation(statement, spread, asker).fault(answer);
            if (!fault.isEmpty()) {
                faults.add(statement.place() + " " + statement.text() + "\n  " + fault);
            }
            compared++;
        }
        assertThat(String.join("\n", faults)).isEmpty();
        assertThat(compared).isGreaterThan(700);
    }
}
