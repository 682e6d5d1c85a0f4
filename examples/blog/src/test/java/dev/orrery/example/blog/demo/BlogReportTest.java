package dev.orrery.example.blog.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.example.blog.Version;
import dev.orrery.example.blog.demo.Result.Amount;
import dev.orrery.example.blog.demo.Result.Listed;
import dev.orrery.example.blog.demo.Result.Renaming;
import dev.orrery.example.blog.demo.Result.ViewsMade;
import dev.orrery.example.common.DemoException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlogReportTest {
    private static final Result RESULT = new Result(
            100,
            200,
            30_000,
            new Amount(60_000, 4),
            new ViewsMade(Views.REPLAY, new Amount(20_000, 2)),
            List.of(new Renaming(Version.V3, 1_750, 2.5)),
            new Listed(19.6, 50),
            400,
            Stream.of(Request.values())
                    .flatMap(request -> Stream.of(Version.values())
                            .map(version -> new Row(
                                    request,
                                    version,
                                    request.reference(version).millis() / 4.0,
                                    12.3456,
                                    request.reference(version).units(),
                                    version == Version.V1 ? 4 : 1,
                                    version != Version.V1)))
                    .toList());

    @Test
    void theTableHasARowForEachRequestAndVersion() {
        var bytes = new ByteArrayOutputStream();
        TextReport.print(RESULT, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> line.matches("^(✅|⚠ ) [CQ]\\d .*"))
                .hasSize(30)
                .contains(
                        "⚠  Q6 list the most recent posts V1   306    2063.54       76.50    12.35    2063.54    0.25 "
                                + " 1.00");
    }

    @Test
    void factsSayWhatWasDone() {
        assertThat(TextReport.facts(RESULT))
                .contains(
                        "100 users; every posts container has 5 physical partitions.",
                        "A new name in V3 reached all 1,750 copies in posts, and the views, 2.5 s later.",
                        "200 calls each, one after the other, over random keys; Q4 lists posts with 20 comments on"
                                + " average, Q5 with 50 likes.",
                        "400 answers were compared between the versions, and were the same.")
                .noneMatch(fact -> fact.contains("mean little"));
    }

    @Test
    void factsOfTheSmallestRunClaimNothingElse() {
        var smallest = new Result(
                1,
                1,
                400,
                new Amount(60, 1),
                new ViewsMade(Views.REPLAY, new Amount(0, 1)),
                List.of(new Renaming(Version.V2, 1, 2.5)),
                new Listed(12, 47),
                0,
                List.of());
        assertThat(TextReport.facts(smallest))
                .contains(
                        "1 user; every posts container has 1 physical partition.",
                        "A new name in V2 reached its only copy 2.5 s later.",
                        "1 call each, one after the other, over random keys; Q4 lists posts with 12 comments on"
                                + " average, Q5 with 47 likes.",
                        "Times of fewer than 200 calls, after a warm-up that is short as well, mean little.")
                .noneMatch(fact -> fact.contains("compared"));
    }

    @Test
    void programsFindTheMembersTheyWereTold() {
        var json = JsonReport.json(RESULT);
        assertThat(json.path("rows")).hasSize(30);
        assertThat(json.path("rows").get(0).toString())
                .startsWith("{\"request\":\"C1\",\"version\":\"V1\",\"referenceMs\":7,\"referenceRu\":5.71,"
                        + "\"p50Ms\":1.75,\"p99Ms\":12.346,\"ru\":5.71");
        assertThat(json.path("loadItemsPerSecond").asInt()).isEqualTo(15_000);
    }

    @Test
    void growthIsToldOverTheFilesOfSeveralRuns(@TempDir Path folder) throws IOException {
        var small = write(folder, "small", 100, Version.values());
        var larger = write(folder, "larger", 1_000, Version.V1, Version.V2);
        var largerToo = write(folder, "larger-too", 1_000, Version.V3);
        var bytes = new ByteArrayOutputStream();
        GrowthReport.of(List.of(larger, small, largerToo)).print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .hasSize(32)
                .startsWith(
                        "| request | model | RU, 100 users | RU, 1,000 users | RU × | p50 ms, 100 users | p50 ms, 1,000"
                                + " users | p50 × |")
                .contains("| Q6 | V3 | 16.97 | 16.97 | 1.00 | 2.25 | 2.25 | 1.00 |");
    }

    @Test
    void twoFilesThatTellOfTheSameAreRefused(@TempDir Path folder) throws IOException {
        var files = List.of(write(folder, "one", 100, Version.V3), write(folder, "two", 100, Version.values()));
        assertThatThrownBy(() -> GrowthReport.of(files))
                .isInstanceOf(DemoException.class)
                .hasMessageContaining("two.json tells of C1 in V3 with 100 users, and so does another file.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"users\":5,\"rows\":[{}]}",
                "{\"users\":5,\"rows\":[1,2]}",
                "{\"users\":5,\"rows\":[{\"request\":\"C1\",\"version\":\"V1\",\"ru\":\"x\",\"p50Ms\":null}]}",
                "{\"users\":5,\"rows\":[{\"request\":\"ZZ\",\"version\":\"V1\",\"ru\":1.5,\"p50Ms\":2}]}",
                "{\"users\":5,\"rows\":[{\"request\":\"C1\",\"version\":\"V9\",\"ru\":1.5,\"p50Ms\":2}]}",
                "{\"users\":3.7,\"rows\":[{\"request\":\"C1\",\"version\":\"V1\",\"ru\":1.5,\"p50Ms\":2}]}",
                "{\"users\":5,\"rows\":[{\"request\":\"C1\",\"version\":\"V1\",\"ru\":1.5,\"p50Ms\":2}]} more {",
            })
    void aFileThatNoRunHasWrittenIsRefused(String text, @TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("other.json"), text);
        assertThatThrownBy(() -> GrowthReport.of(List.of(file)))
                .isInstanceOf(DemoException.class)
                .hasMessageContaining("other.json");
    }

    private static Path write(Path folder, String name, int users, Version... versions) throws IOException {
        var rows = RESULT.rows().stream()
                .filter(row -> List.of(versions).contains(row.version()))
                .toList();
        var file = folder.resolve(name + ".json");
        var result = new Result(
                users,
                RESULT.calls(),
                RESULT.postsUnits(),
                RESULT.load(),
                RESULT.views(),
                RESULT.renamings(),
                RESULT.listed(),
                RESULT.compared(),
                rows);
        return Files.writeString(file, JsonReport.text(result));
    }

    @Test
    void thePageNeedsNothingElse() {
        var html = HtmlReport.html(RESULT);
        assertThat(html).doesNotContain("{{", "src=", "href=", "@import", "url(");
        assertThat(html.split("<rect ", -1)).hasSize(1 + 2 * 30);
        // Not every machine has a font for them.
        assertThat(html).doesNotContain("✅", "⚠").contains("mark lean", "mark costly");
        assertThat(html).contains("<title>Q6 V1: 76.50 ms, reference 306.00 ms</title>", "15,000 items a second");
    }

    @Test
    void bothChartsShowTheirSmallestValueAsABar() {
        var chart = new BarChart("RU", Row::units, row -> row.reference().units()).svg(RESULT.rows());
        assertThat(chart).doesNotContain("height=\"0.0\"");
    }
}
