package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.resource.Census.Figures;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.server.StatusReport.CountedContainer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StatusTablesTest {
    private static final Instant SINCE = Instant.parse("2026-11-16T14:10:19.5Z");

    private static Tally tally(long requests, double requestUnits, long throttled, long nanos) {
        var tally = new Tally();
        var latencies = new Latencies();
        latencies.record(nanos);
        tally.addReplies(requests, requestUnits);
        tally.addOperation(throttled, latencies);
        return tally;
    }

    private static final StatusReport REPORT = new StatusReport(
            SINCE,
            0,
            List.of(
                    new CountedContainer(
                            new Figures(
                                    new Location("shared", "a-rather-long-name-of-a-container"),
                                    0,
                                    0,
                                    1,
                                    Optional.of(new Throughput.Manual(1_000)),
                                    true),
                            new Tally()),
                    new CountedContainer(
                            new Figures(
                                    new Location("shop", "orders"),
                                    1_234_567,
                                    3_500_000_000L,
                                    4,
                                    Optional.of(new Throughput.Autoscale(
                                            40_000, Obj.builder().build())),
                                    false),
                            tally(4_321, 12_345.678, 17, TimeUnit.MICROSECONDS.toNanos(2_048)))),
            Map.of(
                    "QueryItems",
                    tally(321, 9_999.5, 0, TimeUnit.MICROSECONDS.toNanos(16_384)),
                    "ReadItem",
                    tally(4_000, 4_000, 17, TimeUnit.MICROSECONDS.toNanos(128))));

    private static List<String> lines(StatusReport report, int widthMax) {
        // Over the wire it is text.
        return new StatusTables((Obj) JsonReader.parse(CompactJson.text(report.json()))).lines(widthMax);
    }

    @Test
    void containersAndOperationsAreTables() {
        assertThat(String.join("\n", lines(REPORT, Integer.MAX_VALUE))).isEqualTo("""
            database  container                          documents     size  partitions          RU/s  requests         RU  throttled  p50 ms  p99 ms
            --------  ---------------------------------  ---------  -------  ----------  ------------  --------  ---------  ---------  ------  ------
            shared    a-rather-long-name-of-a-container          0      0 B           1  1,000 shared         0       0.00          0
            shop      orders                             1,234,567  3.3 GiB           4  up to 40,000     4,321  12,345.68         17    1.97    2.10

            Requests since 2026-11-16T14:10:19Z:

            operation   requests        RU  RU/request  throttled  p50 ms  p99 ms
            ----------  --------  --------  ----------  ---------  ------  ------
            ReadItem       4,000  4,000.00        1.00         17    0.12    0.13
            QueryItems       321  9,999.50       31.15          0   15.73   16.76\
            """);
    }

    @Test
    void namesAreCutBeforeNumbers() {
        assertThat(lines(REPORT, 130))
                .contains("shared    a-rather-long-name-of-a-c…          0      0 B           1  1,000 shared         0"
                        + "       0.00          0")
                .allMatch(line -> line.length() <= 130);
    }

    @Test
    void whereThereIsNoRoomTheTableOfContainersIsTwo() {
        assertThat(lines(REPORT, 80))
                .contains(
                        "database  container                 documents     size  partitions          RU/s",
                        "shop      orders                    1,234,567  3.3 GiB           4  up to 40,000",
                        "shop      orders                     4,321  12,345.68         17    1.97    2.10")
                .allMatch(line -> line.length() <= 80);
    }

    @Test
    void anEmptyServerIsDescribedInWords() {
        assertThat(lines(new StatusReport(SINCE, 0, List.of(), Map.of()), 80))
                .containsExactly("There are no containers.", "", "No requests since 2026-11-16T14:10:19Z.");
    }

    @Test
    void namesCannotSpeakToTheTerminal() {
        var figures = new Figures(new Location("d", "c\u001b[2J"), 0, 0, 1, Optional.empty(), false);
        assertThat(lines(new StatusReport(SINCE, 0, List.of(new CountedContainer(figures, new Tally())), Map.of()), 80))
                .noneMatch(line -> line.contains("\u001b"));
    }

    @Test
    void sizesAreTakenInUnitsThatLeaveFewDigits() {
        assertThat(StatusTables.size(0)).isEqualTo("0 B");
        assertThat(StatusTables.size(1_023)).isEqualTo("1,023 B");
        assertThat(StatusTables.size(1_024)).isEqualTo("1.0 KiB");
        assertThat(StatusTables.size(1_048_576 * 2.5)).isEqualTo("2.5 MiB");
        assertThat(StatusTables.size(0x1p50)).isEqualTo("1,024.0 TiB");
    }
}
