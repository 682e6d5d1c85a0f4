package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.model.Limits;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Which queries ask many physical partitions, and what they could ask instead. */
final class FanOutAdvice {
    private static final double FAN_OUT_MIN = 1.5;

    private final Subject subject;

    FanOutAdvice(Subject subject) {
        this.subject = subject;
    }

    Stream<Finding> findings() {
        return subject.seen().patterns().stream()
                .filter(pattern -> !pattern.keyed()
                        && pattern.fanOut() >= FAN_OUT_MIN
                        && pattern.effects().aggregates() == 0
                        && !QueryByIdAdvice.isAbout(pattern))
                .flatMap(pattern -> finding(pattern).stream())
                .filter(finding -> Subject.isWorthSaying(finding.charge()));
    }

    private Optional<Finding> finding(PatternNotes.Figures pattern) {
        var key = anotherKey(pattern);
        if (key.isPresent()) {
            return Optional.of(underAnotherKey(pattern, key.get()));
        }
        return pattern.sort().isPresent() && pattern.rowsMax() <= Limits.PAGE_ITEMS_DEFAULT
                ? Optional.of(gathered(pattern, pattern.sort().get()))
                : Optional.empty();
    }

    /** The property with the most values, which are more than there are physical partitions to spread over. */
    private Optional<String> anotherKey(PatternNotes.Figures pattern) {
        return pattern.values().entrySet().stream()
                .filter(path ->
                        !subject.isRouted(path.getKey()) && path.getValue().distinct() > subject.ranges())
                .max(Comparator.<Map.Entry<String, Values.Figures>>comparingInt(
                                path -> path.getValue().distinct())
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey);
    }

    private Finding underAnotherKey(PatternNotes.Figures pattern, String key) {
        var effects = pattern.effects();
        // Under the other key there is nothing but what belongs to its value, so no index has to sort out the rest.
        long indexKeys = Math.min(effects.indexKeys(), Math.max(effects.itemsLoaded(), effects.rows()));
        double after = subject.expected(pattern, pattern.calls(), indexKeys, effects.itemsLoaded(), effects.rows());
        var upkeep = subject.upkeep(pattern);
        var filter = subject.kindFilter(pattern).map(kind -> " WHERE " + kind).orElse("");
        return subject.finding(
                Kind.FAN_OUT,
                "A query of " + subject.name() + " by " + key + " asks every physical partition",
                figures(pattern),
                subject.viewUnder(key)
                        .map(view -> "Ask '" + view + "', the view that has the partition key " + key + ".")
                        .orElseGet(() -> "Keep a copy of these items under the partition key " + key
                                + ", so that one partition answers: a view of " + subject.source()
                                + " with the definition \"SELECT * FROM c" + filter
                                + "\", or a container that a consumer of the change feed writes."
                                + twice(pattern, after, upkeep)),
                new Charge(
                        "call",
                        pattern.calls(),
                        pattern.charge(),
                        after,
                        subject.viewUnder(key).isPresent() ? 0 : upkeep.charge()));
    }

    private Finding gathered(PatternNotes.Figures pattern, String sort) {
        long rows = Math.min(pattern.effects().rows(), pattern.rowsMax() * pattern.calls());
        double after = subject.expected(pattern, pattern.calls(), rows, rows, rows);
        var upkeep = subject.upkeep(pattern);
        return subject.finding(
                Kind.GATHERED_LIST,
                "The first " + pattern.rowsMax() + " items of " + subject.name() + " by " + sort
                        + " are gathered from every physical partition",
                figures(pattern),
                "Keep these " + pattern.rowsMax()
                        + " items in a small container of their own, all under one partition key"
                        + subject.kindFilter(pattern)
                                .map(_ -> " such as /"
                                        + subject.seen().kindProperty().orElseThrow())
                                .orElse("")
                        + ": a consumer of the change feed of " + subject.name()
                        + " writes them, and a trigger removes what has fallen off the end."
                        + twice(pattern, after, upkeep),
                new Charge("call", pattern.calls(), pattern.charge(), after, upkeep.charge()));
    }

    private static String twice(PatternNotes.Figures pattern, double after, Subject.Upkeep upkeep) {
        if (upkeep.writes() == 0 || pattern.charge() <= after) {
            return "";
        }
        double needed = upkeep.perWrite() / (pattern.charge() - after);
        return " Each write of such an item is then made twice, for about " + Subject.units(upkeep.perWrite())
                + " more: that pays with more than " + Subject.hundredths(needed)
                + " of these calls for each write; so far there were "
                + Subject.hundredths((double) pattern.calls() / upkeep.writes()) + ".";
    }

    private static List<String> figures(PatternNotes.Figures pattern) {
        var effects = pattern.effects();
        return List.of(
                pattern.text(),
                Subject.count(pattern.calls()) + " calls, each to " + Subject.decimal(pattern.fanOut())
                        + " physical partitions; " + pattern.average(effects.itemsLoaded())
                        + " items loaded for " + pattern.average(effects.rows()) + " rows a call");
    }
}
