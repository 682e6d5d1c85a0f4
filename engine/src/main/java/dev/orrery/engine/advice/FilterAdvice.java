package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.advice.Finding.Upkeep;
import java.util.List;
import java.util.stream.Stream;

/** Which filters are tried on one item after another, because no index could serve them. */
final class FilterAdvice {
    private static final int LOADED_PER_ROW_MIN = 10;

    private final Subject subject;

    FilterAdvice(Subject subject) {
        this.subject = subject;
    }

    Stream<Finding> findings() {
        return subject.seen().patterns().stream()
                .filter(FilterAdvice::isTried)
                .map(this::finding)
                .filter(finding -> Subject.isWorthSaying(finding.charge()));
    }

    private static boolean isTried(PatternNotes.Figures pattern) {
        var effects = pattern.effects();
        return !pattern.filters().complete()
                && effects.aggregates() == 0
                && effects.itemsLoaded() >= LOADED_PER_ROW_MIN * Math.max(effects.rows(), pattern.calls())
                && pattern.indexes()
                        .filter(metrics -> !metrics.potential().single().isEmpty())
                        .isEmpty();
    }

    private Finding finding(PatternNotes.Figures pattern) {
        var effects = pattern.effects();
        long rows = effects.rows();
        return subject.finding(
                Kind.UNINDEXED_FILTER,
                "A filter on " + subject.name() + " is tried on one item after another, because no index serves it",
                List.of(
                        pattern.text(),
                        Subject.count(pattern.calls()) + " calls; " + pattern.average(effects.itemsLoaded())
                                + " items loaded for " + Subject.decimal(pattern.rowsPerCall()) + " rows a call"),
                "Keep what is compared as a property of its own, such as a text in lower case or the result of a"
                    + " calculation, and ask for that with =, a range or STARTSWITH. Words inside of texts are found"
                    + " by a full-text index.",
                new Charge(
                        "call",
                        pattern.calls(),
                        pattern.charge(),
                        subject.expected(pattern, effects.rangesAsked(), rows, rows, rows),
                        Upkeep.of(
                                subject.priceOfTerm(1), subject.seen().writes().writes())));
    }
}
