package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.advice.Finding.Upkeep;
import dev.orrery.engine.advice.WriteNotes.Terms;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.index.NamedIndex;
import dev.orrery.engine.observe.Refusals;
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

    private final Subject subject;

    IndexAdvice(Subject subject) {
        this.subject = subject;
    }

    Stream<Finding> findings() {
        return Stream.of(
                        subject.seen().refusals().entrySet().stream()
                                .filter(refusal -> refusal.getValue().calls() >= Subject.CALLS_MIN)
                                .map(refusal -> refused(refusal.getKey(), refusal.getValue())),
                        subject.seen().patterns().stream().flatMap(pattern -> missing(pattern).stream()),
                        unused().stream())
                .flatMap(some -> some);
    }

    // ---- demanded ----

    private Finding refused(ContainerNotes.Wanted wanted, Refusals refusals) {
        return subject.finding(
                Kind.MISSING_INDEX,
                "Queries of " + subject.name() + " are refused for want of an index",
                List.of(
                        wanted.text(),
                        Subject.count(refusals.calls()) + " calls were refused; they want up to "
                                + Subject.count(refusals.rows()) + " rows"),
                (wanted.index().size() > 1 ? compositeProposal(wanted.index()) : missingProposal(wanted.index())) + ".",
                new Charge("call", refusals.calls(), subject.prices().attempt().requestUnits(), refusals.charge()));
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
                        compositeProposal(composite.parts()),
                        Math.min(rows, effects.indexKeys()),
                        Math.min(rows, effects.itemsLoaded()),
                        subject.priceOfTerm(composite.parts().size())));
    }

    private static String compositeProposal(List<String> parts) {
        return "Add the composite index (" + Subject.composite(parts) + ") to the indexing policy";
    }

    /** In which part of an indexing policy paths belong, as their ends tell. */
    private String missingProposal(List<String> paths) {
        var policy = subject.container().definition().indexingPolicy();
        var excluded =
                policy.excluded().stream().map(path -> path.path().text()).collect(Collectors.toSet());
        if (excluded.containsAll(paths)) {
            boolean others = policy.included().stream()
                    .noneMatch(path -> path.path().text().equals("/*"));
            return "Take " + String.join(", ", paths) + " out of the excluded paths of the indexing policy"
                    + (others ? " and add " + (paths.size() == 1 ? "it" : "them") + " to the included ones" : "");
        }
        boolean shapes = paths.stream().allMatch(path -> path.endsWith("/*"));
        boolean values = paths.stream().allMatch(path -> path.endsWith("/?"));
        return "Add " + String.join(", ", paths) + " to the "
                + (shapes ? "spatial indexes" : values ? "included paths" : "full-text or vector indexes")
                + " of the indexing policy";
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
                                + Subject.decimal(pattern.rowsPerCall()) + " rows a call"),
                proposal + ".",
                new Charge(
                        "call",
                        pattern.calls(),
                        pattern.charge(),
                        subject.expected(pattern, effects.rangesAsked(), indexKeys, itemsLoaded, effects.rows()),
                        Upkeep.of(
                                perWrite,
                                perWrite == 0 ? 0 : subject.seen().writes().writes())));
    }

    // ---- unused ----

    private Optional<Finding> unused() {
        var seen = subject.seen();
        var writes = seen.writes();
        // Where nothing but reads by id was asked, no query can be waiting that was only not asked yet.
        boolean judged =
                seen.queryCalls() >= Subject.CALLS_MIN || (seen.queryCalls() == 0 && seen.reads() >= Subject.CALLS_MIN);
        if (!judged || writes.writes() < Subject.CALLS_MIN || writes.sampled() == 0) {
            return Optional.empty();
        }
        var indexed = writes.terms().entrySet().stream()
                .filter(path -> subject.container().definition().isIndexed(path.getKey()))
                .toList();
        var unused = indexed.stream().filter(path -> isUnused(path.getKey())).toList();
        var named = writes.named().entrySet().stream()
                .filter(index -> isUnused(index.getKey()))
                .toList();
        double all = price(indexed) + price(List.copyOf(writes.named().entrySet()));
        double vain = price(unused) + price(named);
        double before = writes.charge() / writes.writes();
        double after = before - (all == 0 ? 0 : vain / all * writes.termsCharge() / writes.writes());
        if (before - after < before * UNUSED_SHARE_MIN) {
            return Optional.empty();
        }
        var paths = unused.stream()
                .sorted(Comparator.comparingDouble((Map.Entry<List<Step>, Terms> path) -> price(path.getValue()))
                        .reversed())
                .map(path -> IndexPath.spelled(path.getKey()) + "/?")
                .toList();
        var names = named.stream()
                .map(index -> "the " + index.getKey().group().word() + " index ("
                        + index.getKey().name() + ")")
                .sorted()
                .toList();
        var proposals = new ArrayList<String>();
        if (!paths.isEmpty()) {
            proposals.add(unusedProposal(paths, kept(indexed)));
        }
        if (!names.isEmpty()) {
            proposals.add("Take " + String.join(" and ", names) + " out of the indexing policy");
        }
        return Optional.of(subject.finding(
                Kind.UNUSED_INDEX,
                "Every write to " + subject.name() + " keeps indexes up to date that no query has used",
                figures(Stream.concat(paths.stream(), names.stream()).toList()),
                String.join(". ", proposals)
                        + ", unless a query needs them that was not asked since the server started.",
                new Charge("write", writes.writes(), before, after)));
    }

    /** What of the index is to stay. */
    private List<String> kept(List<Map.Entry<List<Step>, Terms>> indexed) {
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
            return "Exclude /* in the indexing policy"
                    + (kept.isEmpty() ? "" : ", and include " + String.join(", ", kept) + " only");
        }
        return "Add " + shown(paths) + " to the excluded paths of the indexing policy"
                + (named.isEmpty() ? "" : ", and take " + shown(named) + " out of the included ones");
    }

    private List<String> figures(List<String> paths) {
        var figures = new ArrayList<String>();
        var seen = subject.seen();
        figures.add(Subject.count(seen.writes().writes()) + " writes; "
                + (seen.queryCalls() == 0
                        ? Subject.count(seen.reads()) + " reads by id, and no query"
                        : Subject.count(seen.queryCalls()) + " calls of queries, which filter and sort by "
                                + (seen.pathsUsed().isEmpty()
                                        ? "nothing"
                                        : shown(seen.pathsUsed().stream()
                                                .sorted()
                                                .toList()))));
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
                && !isMentioned(place, texts());
    }

    /** What the service, unlike this server, could use is left alone: a composite index of what a query filters by. */
    private boolean isUnused(NamedIndex index) {
        return switch (index.group()) {
            case COMPOSITE -> {
                var first = index.places().subList(0, 2);
                yield !subject.seen().compositesUsed().contains(index.name())
                        && subject.seen().patterns().stream().noneMatch(pattern -> filtersBy(pattern, first))
                        && !first.stream().allMatch(place -> isMentioned(place, subject.seen().scripted().stream()));
            }
            case SPATIAL, FULL_TEXT, VECTOR -> index.places().stream().noneMatch(place -> isMentioned(place, texts()));
        };
    }

    private static boolean filtersBy(PatternNotes.Figures pattern, List<List<Step>> places) {
        var filters = pattern.filters();
        return places.stream()
                .map(IndexPath::spelled)
                .allMatch(path -> filters.values().containsKey(path)
                        || filters.stretches().containsKey(path));
    }

    /** What queries and scripts asked, also in vain. */
    private Stream<String> texts() {
        var seen = subject.seen();
        return Stream.of(
                        seen.patterns().stream().map(PatternNotes.Figures::text),
                        seen.refusals().keySet().stream().map(ContainerNotes.Wanted::text),
                        seen.scripted().stream())
                .flatMap(some -> some);
    }

    /** Whether one of them does anything with a property but select it. */
    private static boolean isMentioned(List<Step> place, Stream<String> texts) {
        return place.getFirst() instanceof Step.Property(var name)
                && texts.map(text -> text.substring(Math.max(0, text.indexOf(" FROM "))))
                        .anyMatch(text -> text.contains("." + name) || text.contains("[\"" + name + "\"]"));
    }

    private <T> double price(List<Map.Entry<T, Terms>> some) {
        return some.stream().mapToDouble(one -> price(one.getValue())).sum();
    }

    private double price(Terms terms) {
        return subject.prices()
                .bill(new Work().add(Effort.TERMS_WRITTEN, terms.count(), terms.bytes()))
                .requestUnits();
    }
}
