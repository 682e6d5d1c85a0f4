package dev.orrery.example.publishing.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.example.publishing.demo.Diary.Event;
import dev.orrery.example.publishing.demo.Diary.Event.Kind;
import dev.orrery.example.publishing.demo.Result.ProcessSize;
import dev.orrery.example.publishing.demo.Sightings.Sighting;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PublishingReportTest {
    private static final Result RESULT = result(List.of());
    private static final Result WRONG = result(List.of("x = <none> in the end"));

    private static Result result(List<String> complaints) {
        return result(Layout.ACCOUNT_PER_REGION, new Settling(Map.of(), Map.of(), Map.of()), complaints);
    }

    private static Result result(Layout layout, Settling settling, List<String> complaints) {
        return new Result(
                layout,
                Region.first(2),
                80,
                7.5,
                1_000,
                61_000,
                List.of(
                        new Call(Region.WEST_US, Method.REVIEW, false, 500, 900, false),
                        new Call(Region.WEST_US, Method.REVIEW, false, 2_000, 3, false),
                        new Call(Region.WEST_US, Method.REVIEW, false, 2_500, 5, false),
                        new Call(Region.WEST_US, Method.REVIEW, false, 2_600, 5_000, true),
                        new Call(Region.WEST_US, Method.REVIEW, true, 3_000, 84, false),
                        new Call(Region.WEST_US, Method.REVIEW, false, 30_000, 170, false),
                        new Call(Region.NORTH_EUROPE, Method.READ_ARTICLE, false, 4_000, 7, false)),
                List.of(
                        new Sighting(Region.WEST_US, Region.NORTH_EUROPE, 2_003, 61),
                        new Sighting(Region.WEST_US, Region.NORTH_EUROPE, 30_000, 9_000)),
                0,
                List.of(new LagWatch.Lag(Region.WEST_US, Region.NORTH_EUROPE, 5_000, 40)),
                List.of(
                        new Event(21_000, Kind.LOST, "West US is lost"),
                        new Event(41_000, Kind.BACK, "West US is back")),
                List.of(new ProcessSize("one", Region.WEST_US, 200_000_000)),
                settling,
                new News(7, layout == Layout.ONE_ACCOUNT ? 7 : 0),
                new Audit.Verdict(1_234, 5, 3, 2, 600, 1_200, complaints));
    }

    @Test
    void onlyWhatWasMeasuredWhileAllWasWarmAndUpCounts() {
        assertThat(RESULT.times(Region.WEST_US, Method.REVIEW, false)).isEqualTo(new Quantiles(2, 3, 5));
        assertThat(RESULT.times(Region.WEST_US, Method.REVIEW, true)).isEqualTo(new Quantiles(1, 84, 84));
        assertThat(RESULT.lag(Region.WEST_US, Region.NORTH_EUROPE)).isEqualTo(new Quantiles(1, 61, 61));
        assertThat(RESULT.times(Region.NORTH_EUROPE, Method.PUBLISH, true).count())
                .isZero();
    }

    @Test
    void theTerminalShowsFiguresEventsAndVerdict() {
        var out = new ByteArrayOutputStream();
        TextReport.print(RESULT, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("writeReview +3\\.0 +5\\.0 +2 +84\\.0 +84\\.0 +1\n")
                .contains("  20.0 s  West US is lost")
                .contains("1,234 writes were acknowledged, and every one is accounted for in the end; 5 got no answer.")
                .contains("3 of them had not left the lost region")
                .contains("1 processes, ready after 7.5 s; the largest has needed 200 MB.");
    }

    @Test
    void thePageIsFilledAndNeedsNothingFromElsewhere() {
        var page = HtmlReport.html(new Comparison(List.of(RESULT)));
        assertThat(page)
                .contains("nothing lost", "all regions agree", "in two regions", "no answer after 5000 ms")
                .doesNotContain("{{")
                .doesNotContainPattern(Pattern.compile("(src|href)=|url\\(|https?:"));
    }

    private static final Settling SETTLING = new Settling(
            Map.of("accepted", 900L, "merged", 4L, "kept", 1L),
            Map.of("create", Map.of("merged", 3L, "kept", 1L), "unique_key", Map.of("merged", 1L)),
            Map.of(Region.NORTH_EUROPE, 90.0));

    private static final Comparison BOTH =
            new Comparison(List.of(RESULT, result(Layout.ONE_ACCOUNT, SETTLING, List.of())));

    @Test
    void conflictsAreToldWithWhatBecameOfThem() {
        var out = new ByteArrayOutputStream();
        TextReport.print(BOTH.results().getLast(), new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("create +0 +0 +0 +3 +1\nunique key +0 +0 +0 +1 +0\n")
                .contains("905 writes were settled, 5 of them conflicts; it took 90.0 ms in North Europe on average");
        assertThat(HtmlReport.html(BOTH))
                .contains("Of 905 writes 5 met another one", "<th scope=\"row\">unique key</th>");
        assertThat(JsonReport.text(BOTH)).contains("\"oneAccount\"", "\"accepted\" : 900", "\"unique_key\"");
    }

    @Test
    void bothLayoutsStandBesideEachOther() {
        var out = new ByteArrayOutputStream();
        TextReport.print(BOTH, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("writeReview, ms +3\\.0 / 5\\.0 +3\\.0 / 5\\.0\n")
                .containsPattern("all find the same +0 of 7 +7 of 7\n");
        assertThat(HtmlReport.html(BOTH))
                .contains("Beside each other", "<td>7 of 7</td>")
                .doesNotContain("{{");
        assertThat(HtmlReport.html(new Comparison(List.of(RESULT)))).doesNotContain("Beside each other", "Conflicts,");
    }

    @Test
    void whatIsWrongIsSaidEverywhere() {
        assertThat(HtmlReport.html(new Comparison(List.of(WRONG))))
                .contains("1 complaint", "x = &lt;none&gt; in the end");
        assertThat(JsonReport.text(WRONG)).contains("\"complaints\" : [ \"x = <none> in the end\" ]");
        var out = new ByteArrayOutputStream();
        TextReport.print(WRONG, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("NOT all is as it should be", "x = <none>");
    }

    @Test
    void programsGetTheSameFigures() {
        assertThat(JsonReport.text(RESULT))
                .contains("\"method\" : \"writeReview\"", "\"p50Ms\" : 84.0", "\"acknowledged\" : 1234")
                .contains("\"kind\" : \"LOST\"");
    }
}
