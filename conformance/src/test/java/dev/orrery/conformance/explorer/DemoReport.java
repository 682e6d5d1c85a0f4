package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code ./orrery demo blog --users 10 --calls 20 --throughput 6000} has measured once. */
final class DemoReport {
    /** Request, version, published milliseconds and units, milliseconds p50 and p99, units, whether it is lean. */
    private static final String ROWS = """
        C1 V1 7 5.71 1.176 1.327 5.813 true
        C1 V2 7 5.71 0.983 2.566 5.813 true
        C1 V3 7 5.71 1.539 6.427 5.965 true
        Q1 V1 2 1.0 5.21 11.838 1.0 true
        Q1 V2 2 1.0 0.964 1.345 1.0 true
        Q1 V3 2 1.0 2.358 8.039 1.0 true
        C2 V1 9 8.76 1.235 13.698 8.648 true
        C2 V2 9 8.76 1.378 4.418 9.35 true
        C2 V3 9 8.76 1.304 7.424 9.35 true
        Q2 V1 9 19.54 38.234 156.877 18.95 false
        Q2 V2 2 1.0 1.491 5.292 1.028 true
        Q2 V3 2 1.0 1.639 4.535 1.028 true
        Q3 V1 130 619.41 280.727 488.925 711.278 false
        Q3 V2 28 201.54 10.609 17.535 61.866 false
        Q3 V3 4 6.46 4.674 21.161 7.545 true
        C3 V1 7 8.57 1.603 13.566 8.285 true
        C3 V2 7 15.27 10.346 82.376 15.891 true
        C3 V3 7 15.27 4.832 8.976 15.891 true
        Q4 V1 23 27.72 33.44 63.304 27.249 false
        Q4 V2 4 7.72 7.123 11.963 7.402 true
        Q4 V3 4 7.72 4.896 5.651 7.402 true
        C4 V1 6 7.05 1.815 13.159 6.87 true
        C4 V2 7 14.67 4.956 20.852 14.443 true
        C4 V3 7 14.67 7.542 17.295 14.443 true
        Q5 V1 59 58.92 76.797 166.854 59.203 false
        Q5 V2 4 8.92 4.105 15.309 8.695 true
        Q5 V3 4 8.92 4.44 24.071 8.695 true
        Q6 V1 306 2063.54 784.878 1295.51 1827.43 false
        Q6 V2 83 532.33 34.534 211.959 43.43 false
        Q6 V3 9 16.97 16.323 30.175 15.4 true
        """;

    private DemoReport() {}

    /** The report as {@code --json} writes it. */
    static String text() {
        var rows = ROWS.lines()
                .map(line -> line.split(" "))
                .map(row ->
                        ("{\"request\":\"%s\",\"version\":\"%s\",\"referenceMs\":%s,\"referenceRu\":%s,\"p50Ms\":%s,"
                                        + "\"p99Ms\":%s,\"ru\":%s,\"lean\":%s}")
                                .formatted((Object[]) row))
                .collect(Collectors.joining(","));
        return "{\"id\":\"blog\",\"users\":10,\"calls\":20,\"partitions\":1,\"loadedItems\":58698,\"comparedAnswers\":435,"
            + "\"renamings\":[{\"version\":\"V2\",\"copies\":2021,\"seconds\":4.4}],\"rows\":[" + rows + "]}";
    }

    /** Leaves it on a server as {@code --keep} does, with one of the databases. */
    static void leave(OrreryServer server, String prefix) {
        var client = new WireClient(server);
        for (var database : List.of(prefix + "-v3", prefix + "-report")) {
            assertThat(client.post("/dbs", "{\"id\":\"" + database + "\"}").status())
                    .isEqualTo(201);
        }
        client.post(
                "/dbs/" + prefix + "-report/colls",
                "{\"id\":\"reports\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\",\"version\":2}}");
        var stored = client.send(WireRequest.of("POST", "/dbs/" + prefix + "-report/colls/reports/docs")
                .header("x-ms-documentdb-partitionkey", "[\"blog\"]")
                .body(text()));
        assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    }
}
