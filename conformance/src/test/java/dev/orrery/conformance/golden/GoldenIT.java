package dev.orrery.conformance.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.orrery.conformance.golden.Containers.Spread;
import dev.orrery.conformance.javascript.NodeSuite;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The golden corpus over HTTP: what the language says is what users of the SDKs get. */
class GoldenIT {
    enum Sdk {
        JAVA,
        /** In Direct mode, and with several ranges only: with one it differs in how the same frames come. */
        JAVA_DIRECT,
        /** Asks the server to put rows of several partitions together. */
        JAVASCRIPT,
        /** As it is: where the server refuses to, it asks for a plan. */
        JAVASCRIPT_BY_PLAN;

        /** One partition needs no plan. */
        List<Spread> spreads() {
            return this == JAVA_DIRECT || this == JAVASCRIPT_BY_PLAN
                    ? List.of(Spread.MANY_PARTITIONS)
                    : List.of(Spread.values());
        }
    }

    /** A client and the containers that it asks. */
    private record Seat(Asker asker, Containers containers) {}

    private record Way(Sdk sdk, Spread spread) {}

    private static final Map<Way, Seat> SEATS = new HashMap<>();
    private static Map<String, List<Statement>> corpus;

    @BeforeAll
    static void read() throws IOException {
        corpus = Statement.all().stream().collect(Collectors.groupingBy(Statement::transcript));
    }

    @AfterAll
    static void close() {
        SEATS.values().forEach(seat -> seat.asker().close());
        SEATS.clear();
    }

    static Stream<Arguments> transcripts() {
        return Stream.of(Sdk.values())
                .flatMap(sdk -> sdk.spreads().stream()
                        .flatMap(spread -> corpus.keySet().stream()
                                .sorted()
                                .map(transcript -> arguments(sdk, spread, transcript))));
    }

    @Test
    void theCorpusIsThere() {
        assertThat(corpus.values().stream().mapToInt(List::size).sum()).isGreaterThan(700);
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void anSdkGivesWhatATranscriptSays(Sdk sdk, Spread spread, String transcript) throws IOException {
        var seat = seat(new Way(sdk, spread));
        var faults = new ArrayList<String>();
        for (var statement : corpus.get(transcript)) {
            if (Expectation.SKIPPED.keySet().stream().anyMatch(statement::mentions)) {
                continue;
            }
            var container = seat.containers().holding(statement);
            var answer = seat.asker().ask(container, statement.text(), statement.parameters());
            var fault = new Expectation(statement, spread, seat.asker()).fault(answer);
            if (!fault.isEmpty()) {
                faults.add(statement.place() + " " + statement.text() + "\n  " + fault);
            }
        }
        assertThat(String.join("\n", faults)).isEmpty();
    }

    private static Seat seat(Way way) throws IOException {
        var known = SEATS.get(way);
        if (known != null) {
            return known;
        }
        if (way.sdk() != Sdk.JAVA && way.sdk() != Sdk.JAVA_DIRECT) {
            var missing = NodeSuite.missing();
            assumeTrue(missing.isEmpty(), missing);
            NodeSuite.install();
        }
        var server = SharedServer.running();
        var database = "golden-" + way.sdk().name().toLowerCase(Locale.ROOT) + "-"
                + way.spread().name().toLowerCase(Locale.ROOT);
        var containers = new Containers(new WireClient(server), database, way.spread());
        var asker = switch (way.sdk()) {
            case JAVA -> new JavaAsker(server, ClientMode.chosen(), database);
            case JAVA_DIRECT -> new JavaAsker(server, ClientMode.DIRECT, database);
            case JAVASCRIPT -> JavaScriptAsker.leavingRowsToServer(server, database);
            case JAVASCRIPT_BY_PLAN -> JavaScriptAsker.byPlan(server, database);
        };
        var seat = new Seat(asker, containers);
        SEATS.put(way, seat);
        return seat;
    }
}
