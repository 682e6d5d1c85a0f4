package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.charge.Effort;
import java.util.List;
import java.util.stream.Stream;

/** Which queries ask for one item by its id, though a read would give it for less. */
final class QueryByIdAdvice {
    static final String ID = "/id";

    private final Subject subject;

    QueryByIdAdvice(Subject subject) {
        this.subject = subject;
    }

    /** Whether every call asks for one id, or a list of them, mostly others. */
    static boolean isAbout(PatternNotes.Figures pattern) {
        var ids = pattern.filters().values().get(ID);
        return ids != null
                && ids.distinct() > 1
                && pattern.effects().aggregates() == 0
                && pattern.effects().rows() <= ids.wanted();
    }

    Stream<Finding> findings() {
        return subject.seen().patterns().stream()
                .filter(QueryByIdAdvice::isAbout)
                .map(this::finding)
                .filter(finding -> Subject.isWorthSaying(finding.charge()));
    }

    private Finding finding(PatternNotes.Figures pattern) {
        var effects = pattern.effects();
        var ids = pattern.filters().values().get(ID);
        long bytes = effects.itemsLoaded() == 0 ? 0 : effects.itemBytes() / effects.itemsLoaded();
        double read = subject.prices()
                .bill(new Work().add(Effort.ITEM_READ, 1, bytes))
                .requestUnits();
        return subject.finding(
                Kind.QUERY_BY_ID,
                "A query of " + subject.name() + " asks for "
                        + (ids.hasLists() ? "items by their ids" : "one item by its id"),
                List.of(
                        pattern.text(),
                        Subject.count(pattern.calls()) + " calls, each to " + Subject.decimal(pattern.fanOut())
                                + (pattern.fanOut() == 1 ? " physical partition" : " physical partitions")
                                + (ids.hasLists() ? ", for " + Subject.decimal(ids.perCall()) + " ids" : "")),
                (ids.hasLists() ? "Read each item instead" : "Read the item instead") + ", by its id and its "
                        + subject.partitionKey()
                        + (pattern.keyed() ? "." : ", which has to be kept wherever its id is."),
                new Charge("call", pattern.calls(), pattern.charge(), read * ids.perCall()));
    }
}
