package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.budget.Effort;
import dev.orrery.engine.budget.Work;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Str;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What is counted again and again, and could be kept. */
final class CountAdvice {
    /** About as large as an item that holds nothing but a count. */
    private static final int COUNTER_BYTES = 300;

    private final Subject subject;

    CountAdvice(Subject subject) {
        this.subject = subject;
    }

    Stream<Finding> findings() {
        return subject.seen().patterns().stream()
                .filter(pattern -> pattern.effects().aggregates() > 0)
                .flatMap(this::findings)
                .filter(finding -> Subject.isWorthSaying(finding.charge()));
    }

    /** One for each kind of items that is counted. */
    private Stream<Finding> findings(PatternNotes.Figures pattern) {
        var kinds = subject.seen()
                .kindProperty()
                .flatMap(property -> Optional.ofNullable(pattern.values().get("/" + property)))
                .filter(Values.Figures::isKind);
        return kinds.isEmpty()
                ? Stream.of(finding(
                        pattern,
                        Optional.empty(),
                        new Values.Share(pattern.calls(), pattern.effects().charge())))
                : kinds.get().shares().entrySet().stream()
                        .filter(kind -> kind.getValue().calls() > 0)
                        .map(kind -> finding(pattern, Optional.of(kind), kind.getValue()));
    }

    private Finding finding(
            PatternNotes.Figures pattern, Optional<Map.Entry<JsonValue, Values.Share>> kind, Values.Share share) {
        boolean counts = pattern.text().contains("COUNT(");
        boolean grouped = pattern.text().contains(" GROUP BY ");
        var what = (grouped ? "A figure for each group" : counts ? "The number" : "A figure over the values")
                + " of items"
                + kind.map(one -> " with " + subject.seen().kindProperty().orElseThrow() + " "
                                + Subject.quoted(one.getKey()))
                        .orElse("")
                + " in " + subject.name();
        var name = kind.map(one -> one.getKey() instanceof Str(var text) ? text : "")
                .map(text -> counts ? text + "Count" : text + "Total")
                .orElse(counts ? "count" : "total");
        var place = grouped ? "an item for each group" : "an item of its own, such as " + name;
        double before = share.calls() == 0 ? 0 : share.charge() / share.calls();
        return subject.finding(
                Kind.REPEATED_COUNT,
                what
                        + (pattern.keyed()
                                ? " is found out anew for one " + subject.partitionKey() + " after another"
                                : " is found out anew over all physical partitions"),
                List.of(pattern.text(), Subject.count(share.calls()) + " calls"),
                pattern.keyed()
                        ? "Keep it as a property, such as " + name + ", of an item with the same "
                                + subject.partitionKey()
                                + " that is read anyway. A stored procedure that writes an item and its count in one"
                                + " transaction keeps both in step" + perWrite() + "."
                        : "Keep it in " + place
                                + ", which a consumer of the change feed brings up to date, and read that.",
                new Charge("call", share.calls(), before, pattern.keyed() ? 0 : readOfCounter()));
    }

    private String perWrite() {
        var writes = subject.seen().writes();
        return writes.rewrites() == 0
                ? ""
                : ", for about " + Subject.units(writes.rewriteCharge() / writes.rewrites()) + " more a write";
    }

    private double readOfCounter() {
        return subject.prices()
                .bill(new Work().add(Effort.ITEM_READ, 1, COUNTER_BYTES))
                .requestUnits();
    }
}
