package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.budget.Effort;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which indexes are missing, and which nobody uses. */
final class IndexAdvice {
    private static final double UNUSED_SHARE_MIN = 0.05;
    private static final int PATHS_SHOWN_MAX = 12;

    /** About as long as a value in an index is. */
    private static final int VALUE_BYTES = 16;

    private final Subject subject;

    IndexAdvice(Subject subject) {
        this.subject = subject;
    }

    Stream<Finding> findings() {
        return Stream.concat(
                subject.seen().patterns().stream().flatMap(pattern -> missing(pattern).stream()), unused().stream());
    }

    // ---- missing ----

    private Optional<Finding> missing(PatternNotes.Figures pattern) {
        return pattern.indexes()
                .map(IndexMetrics::potential)
                .flatMap(potential -> missing(pattern, potential))
                .filter(finding -> Subject.isWorthSaying(finding.charge()));
    }

    private Optional<Finding> missing(PatternNotes.Figures pattern, IndexMetrics.Indexes potential) {
        var effects = pattern.effects();
        long rows = effects.rows();
        var single = potential.single().stream()
                .filter(index -> index.impact() == IndexMetrics.Impact.HIGH)
                .map(IndexMetrics.Single::path)
                .toList();
        if (!single.isEmpty()) {
            return Optional.of(missing(
                    pattern,
                    missingProposal(single),
                    Math.max(rows, effects.indexKeys()),
                    effects.aggregates() > 0 ? 0 : rows,
                    0));
        }
        // One that would not give the order is of no use here, though the service may have one for it.
        return potential.composite().stream()
                .filter(IndexMetrics.Composite::sorting)
                .findFirst()
                .map(composite -> missing(
                        pattern,
                        "Add the composite index (" + String.join(", ", composite.parts())
                                + ") to the indexing policy, for about "
                                + Subject.units(priceOfTerm(composite.parts().size())) + " more a write",
                        Math.min(rows, effects.indexKeys()),
                        Math.min(rows, effects.itemsLoaded()),
                        priceOfTerm(composite.parts().size())));
    }

    /** In which part of an indexing policy paths belong, as their ends tell. */
    private static String missingProposal(List<String> paths) {
        boolean shapes = paths.stream().allMatch(path -> path.endsWith("/*"));
        boolean values = paths.stream().allMatch(path -> path.endsWith("/?"));
        return "Add " + String.join(", ", paths) + " to the "
                + (shapes ? "spatial indexes" : values ? "included paths" : "full-text or vector indexes")
                + " of the indexing policy";
    }

    private double priceOfTerm(int values) {
        return subject.prices()
                .bill(new Work().add(Effort.TERMS_WRITTEN, 1, (long) values * VALUE_BYTES))
                .requestUnits();
    }

    private Finding missing(
            PatternNotes.Figures pattern, String proposal, long indexKeys, long itemsLoaded, double perWrite) {
        var effects = pattern.effects();
        return subject.finding(
                Kind.MISSING_INDEX,
                "A query of " + subject.name() + " reads more than it gives, for want of an index",
                List.of(
                        pattern.text(),
                        Subject.count(pattern.calls()) + " calls; "
                                + pattern.average(effects.itemsLoaded()) + " items loaded and "
                                + pattern.average(effects.indexKeys()) + " index keys read for "
                                + pattern.average(effects.rows()) + " rows a call"),
                proposal + ".",
                new Charge(
                        "call",
                        pattern.calls(),
                        pattern.charge(),
                        subject.expected(pattern, effects.rangesAsked(), indexKeys, itemsLoaded, effects.rows()),
                        perWrite * subject.seen().writes().writes()));
    }

    // ---- unused ----

    private Optional<Finding> unused() {
        var seen = subject.seen();
        var writes = seen.writes();
        if (seen.queryCalls() < Subject.CALLS_MIN || writes.writes() < Subject.CALLS_MIN || writes.sampled() == 0) {
            return Optional.empty();
        }
        var indexed = writes.terms().entrySet().stream()
                .filter(path -> subject.container().definition().isIndexed(path.getKey()))
                .toList();
        var unused = indexed.stream().filter(path -> isUnused(path.getKey())).toList();
        double all = indexed.stream().mapToDouble(this::price).sum();
        double vain = unused.stream().mapToDouble(this::price).sum();
        double before = writes.charge() / writes.writes();
        double after = before - (all == 0 ? 0 : vain / all * writes.termsCharge() / writes.writes());
        if (before - after < before * UNUSED_SHARE_MIN) {
            return Optional.empty();
        }
        var paths = unused.stream()
                .sorted(Comparator.comparingDouble(this::price).reversed())
                .map(path -> IndexPath.spelled(path.getKey()) + "/?")
                .toList();
        return Optional.of(subject.finding(
                Kind.UNUSED_INDEX,
                "Every write to " + subject.name() + " keeps indexes up to date that no query has used",
                figures(paths),
                unusedProposal(paths, kept(indexed))
                        + ", unless a query needs them that was not asked since the server started.",
                new Charge("write", writes.writes(), before, after)));
    }

    /** What of the index is to stay. */
    private List<String> kept(List<Map.Entry<List<Step>, WriteNotes.Terms>> indexed) {
        return indexed.stream()
                .filter(path -> !isUnused(path.getKey()))
                .map(path -> IndexPath.spelled(path.getKey()) + "/?")
                .sorted()
                .toList();
    }

    private String unusedProposal(List<String> paths, List<String> kept) {
        var included = subject.container().definition().indexingPolicy().included().stream()
                .map(path -> path.path().text())
                .collect(Collectors.toSet());
        var named = paths.stream().filter(included::contains).toList();
        if (named.size() == paths.size()) {
            return "Take " + shown(paths) + " out of the included paths of the indexing policy";
        }
        if (paths.size() > PATHS_SHOWN_MAX) {
            return "Exclude /* in the indexing policy, and include " + String.join(", ", kept) + " only";
        }
        return "Add " + shown(paths) + " to the excluded paths of the indexing policy"
                + (named.isEmpty() ? "" : ", and take " + shown(named) + " out of the included ones");
    }

    private List<String> figures(List<String> paths) {
        var figures = new ArrayList<String>();
        figures.add(Subject.count(subject.seen().writes().writes()) + " writes; "
                + Subject.count(subject.seen().queryCalls()) + " calls of queries, which filter and sort by "
                + (subject.seen().pathsUsed().isEmpty()
                        ? "nothing"
                        : shown(subject.seen().pathsUsed().stream().sorted().toList())));
        figures.add("never used: " + shown(paths));
        return figures;
    }

    private static String shown(List<String> paths) {
        return paths.stream().limit(PATHS_SHOWN_MAX).collect(Collectors.joining(", "))
                + (paths.size() > PATHS_SHOWN_MAX ? " and " + (paths.size() - PATHS_SHOWN_MAX) + " more" : "");
    }

    private boolean isUnused(List<Step> place) {
        return !place.equals(List.of(new Step.Property("id")))
                && !subject.isInPartitionKey(place)
                && !subject.seen().pathsUsed().contains(IndexPath.spelled(place) + "/?")
                && !(place.getFirst() instanceof Step.Property(var name) && isMentioned(name));
    }

    /** Whether a query, or a script, does anything with a property but select it. */
    private boolean isMentioned(String name) {
        var seen = subject.seen();
        return Stream.concat(seen.patterns().stream().map(PatternNotes.Figures::text), seen.scripted().stream())
                .map(text -> text.substring(Math.max(0, text.indexOf(" FROM "))))
                .anyMatch(text -> text.contains("." + name) || text.contains("[\"" + name + "\"]"));
    }

    private double price(Map.Entry<List<Step>, WriteNotes.Terms> path) {
        var terms = path.getValue();
        return subject.prices()
                .bill(new Work().add(Effort.TERMS_WRITTEN, terms.count(), terms.bytes()))
                .requestUnits();
    }
}
