package dev.orrery.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.bench.harness.Contender.Sample;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportTest {
    @Test
    void theMedianIsTheMiddleOrBetweenTheTwoInTheMiddle() {
        assertThat(Report.median(9, 1, 5)).isEqualTo(5);
        assertThat(Report.median(9, 1, 5, 7)).isEqualTo(6);
        assertThat(Report.median(3)).isEqualTo(3);
    }

    @Test
    void everyFigureHasItsOwnMedian() {
        var samples = List.of(new Sample(100, 30), new Sample(300, 10), new Sample(200, 50));
        assertThat(Report.median(samples)).isEqualTo(new Sample(200, 30));
    }

    @Test
    void aRowEndsWithTheFirstContendersShareOfTheSecond() {
        var row = Report.row(8, List.of(new Sample(12_345.6, 20.4), new Sample(20_000, 15), new Sample(500, 900)));
        assertThat(row).containsExactly("8", "12,346", "20", "20,000", "15", "500", "900", "62 %");
    }

    @Test
    void whatTheSystemDoesNotTellIsLeftOut() {
        var row = Report.row(1, List.of(new Sample(10, Double.NaN), new Sample(20, Double.NaN)));
        assertThat(row).containsExactly("1", "10", "–", "20", "–", "50 %");
    }

    @Test
    void tablesAreAlignedMarkdown() {
        assertThat(Report.table(List.of(List.of("n", "rate"), List.of("64", "9"), List.of("8", "10"))))
                .isEqualTo("""
                    | n  | rate |
                    |----|-----:|
                    | 64 |    9 |
                    | 8  |   10 |\
                    """);
    }

    @Test
    void onlyWhatIsBetweenTheMarksOfAPageIsReplaced() {
        var page = "before\n<!-- bench http: begin -->\nold\n<!-- bench http: end -->\nafter\n";
        assertThat(new Report("http").replaceSection(page, "new\n"))
                .isEqualTo("before\n<!-- bench http: begin -->\n\nnew\n\n<!-- bench http: end -->\nafter\n");
        assertThatThrownBy(() -> new Report("http").replaceSection("no marks", "new"))
                .isInstanceOf(BenchException.class);
    }
}
