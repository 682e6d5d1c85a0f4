package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.advice.Finding.Upkeep;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.charge.Effort;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Str;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
                .filter(CountAdvice::isKept)
                .flatMap(this::findings)
                .filter(finding -> Subject.isWorthSaying(finding.charge()));
    }

    /** Whether there is one figure for each value that is asked for; there are too many ranges and lists to keep one. */
    private static boolean isKept(PatternNotes.Figures pattern) {
        var filters = pattern.filters();
        return pattern.effects().aggregates() > 0
                && filters.complete()
                && filters.stretches().isEmpty()
                && filters.values().values().stream().noneMatch(Values.Figures::hasLists);
    }

    /** One for each kind of items that is counted. */
    private Stream<Finding> findings(PatternNotes.Figures pattern) {
        var kinds = subject.seen()
                .kindProperty()
                .flatMap(property ->
                        Optional.ofNullable(pattern.filters().values().get("/" + property)))
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
                .map(text -> text + (counts ? "Count" : "Figure"))
                .orElse(counts ? "count" : "figure");
        var each = each(pattern);
        boolean inPartition = isInPartition(pattern);
        boolean beside = inPartition && each.isEmpty() && !grouped;
        double before = share.calls() == 0 ? 0 : share.charge() / share.calls();
        return subject.finding(
                Kind.REPEATED_COUNT,
                what
                        + (inPartition
                                ? " is found out anew for one " + subject.partitionKey() + " after another"
                                : pattern.keyed()
                                        ? " is found out anew for partitions that begin alike"
                                        : " is found out anew over all physical partitions"),
                List.of(pattern.text(), Subject.count(share.calls()) + " calls"),
                (beside
                                ? "Keep it as a property, such as " + name + ", of an item with the same "
                                        + subject.partitionKey()
                                        + " that is read anyway. A stored procedure that writes both in one"
                                        + " transaction keeps them in step"
                                : grouped
                                        ? "Keep it in an item for each group, all of them under one partition key,"
                                                + " which a consumer of the change feed brings up to date, and ask for"
                                                + " these"
                                        : "Keep it in an item "
                                                + each.orElse("of its own, such as " + name)
                                                + ", which a consumer of the change feed brings up to date, and read"
                                                + " that")
                        + ".",
                new Charge(
                        "call",
                        share.calls(),
                        before,
                        beside ? 0 : grouped ? queryOfCounters(pattern) : readOfCounter(),
                        Upkeep.of(perWrite(), subject.writesWith(kind.map(Map.Entry::getKey)))));
    }

    /** Whether what is counted lies in one logical partition, so that one transaction reaches all of it. */
    private static boolean isInPartition(PatternNotes.Figures pattern) {
        return pattern.keyed() && !pattern.partial();
    }

    /** For which values there is a figure each, when that is not one partition key. */
    private Optional<String> each(PatternNotes.Figures pattern) {
        var paths = pattern.filters().values().entrySet().stream()
                .filter(path -> isInPartition(pattern)
                        ? !path.getValue().isKind() && !subject.isRouted(path.getKey())
                        : !path.getValue().isKind() || subject.isRouted(path.getKey()))
                .map(Map.Entry::getKey)
                .sorted()
                .collect(Collectors.joining(" and "));
        return paths.isEmpty() ? Optional.empty() : Optional.of("for each " + paths);
    }

    /** What it costs to change an item that holds a count. */
    private double perWrite() {
        var writes = subject.seen().writes();
        return writes.rewrites() == 0
                ? subject.prices()
                        .bill(new Work()
                                .add(Effort.VERSIONS_REPLACED, 1, COUNTER_BYTES)
                                .add(Effort.VERSIONS_REPLACED, 1, COUNTER_BYTES))
                        .requestUnits()
                : writes.rewriteCharge() / writes.rewrites();
    }

    private double queryOfCounters(PatternNotes.Figures pattern) {
        var effects = pattern.effects();
        long groups = Math.round(pattern.perCall((double) effects.rows()));
        var work = new Work()
                .add(Effort.RANGES_PROBED, 1)
                .add(Effort.ITEMS_LOADED, groups, groups * COUNTER_BYTES)
                .add(Effort.RESULT, groups, Math.round(pattern.perCall((double) effects.rowBytes())));
        return subject.prices().bill(work).requestUnits();
    }

    private double readOfCounter() {
        return subject.prices()
                .bill(new Work().add(Effort.ITEM_READ, 1, COUNTER_BYTES))
                .requestUnits();
    }
}
