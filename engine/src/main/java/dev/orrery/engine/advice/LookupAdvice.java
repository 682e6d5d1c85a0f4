package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.advice.Finding.Upkeep;
import dev.orrery.model.json.JsonValue.Str;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which properties are looked up one by one in another container, so that a copy of what they refer to would help. */
final class LookupAdvice {
    private static final int NAMES_MAX = 5;
    private static final double SHARE_OF_ROWS_MIN = 0.1;

    private final Map<Integer, Subject> subjects;
    private final Map<Lookups.Found, Lookups.Figures> lookups;

    LookupAdvice(Map<Integer, Subject> subjects, Map<Lookups.Found, Lookups.Figures> lookups) {
        this.subjects = subjects;
        this.lookups = lookups;
    }

    /** A property of the items of a container, and the container that it leads to. */
    private record Link(int from, String property, int to) {}

    Stream<Finding> findings() {
        var links = new LinkedHashMap<Link, List<Map.Entry<Lookups.Found, Lookups.Figures>>>();
        lookups.entrySet().stream()
                .filter(found -> isPossible(found.getKey()) && isFollowedUp(found.getKey(), found.getValue()))
                .forEach(found -> links.computeIfAbsent(link(found.getKey()), _ -> new ArrayList<>())
                        .add(found));
        return links.entrySet().stream()
                .filter(link -> isWithinOneDatabase(link.getKey())
                        && !subjects.get(link.getKey().from()).isOfLeases())
                .map(link -> finding(link.getKey(), link.getValue()))
                .filter(finding -> Subject.isWorthSaying(finding.charge()));
    }

    /** Nobody's items refer to those of another database; but copies of the same data have the same ids. */
    private boolean isWithinOneDatabase(Link link) {
        var from = subjects.get(link.from());
        var to = subjects.get(link.to());
        return from != null
                && to != null
                && from.location().database().equals(to.location().database());
    }

    private static Link link(Lookups.Found found) {
        return new Link(found.source().container(), found.source().property(), found.container());
    }

    /** What is read, and read again, is not looked up; nor is what refers to something beside it. */
    private static boolean isPossible(Lookups.Found found) {
        return found.container() != found.source().container()
                || (!found.source().pattern().isEmpty()
                        && found.source().property().equals("id"));
    }

    /** Whether a good part of the rows is looked up; somebody who picks one of them is welcome to. */
    private boolean isFollowedUp(Lookups.Found found, Lookups.Figures figures) {
        var from = subjects.get(found.source().container());
        return from != null
                && figures.lookups() > 0
                && figures.lookups()
                        >= SHARE_OF_ROWS_MIN * rowsSampled(from, found.source().pattern());
    }

    private Finding finding(Link link, List<Map.Entry<Lookups.Found, Lookups.Figures>> found) {
        var from = subjects.get(link.from());
        var to = subjects.get(link.to());
        var kinds = new TreeSet<String>();
        var names = new TreeSet<String>();
        var patterns = new HashSet<String>();
        var figures = new ArrayList<String>();
        long calls = 0;
        double own = 0;
        double reads = 0;
        for (var one : found) {
            var source = one.getKey().source();
            if (!source.kind().isEmpty()) {
                kinds.add(source.kind());
            }
            names.addAll(one.getValue().names());
            double estimate = one.getValue().lookups() * perSampled(from, source.pattern());
            reads += estimate;
            if (patterns.add(source.pattern())) {
                var whole = whole(from, source.pattern());
                calls += whole.calls();
                own += whole.charge();
            }
        }
        var ways = ways(to);
        reads = Math.min(reads, (double) ways.calls());
        double charge = ways.calls() == 0 ? 0 : ways.charge() / ways.calls();
        figures.add("about " + Subject.count(Math.round(reads))
                + (ways.calls() > to.seen().reads() ? " reads, or queries by id, of " : " reads of ") + to.name() + ", "
                + Subject.units(charge) + " each, by the " + link.property() + " in the answer just before");
        patterns.stream()
                .sorted()
                .map(pattern -> "after " + (pattern.isEmpty() ? "reads of " + from.name() + " by id" : pattern))
                .forEach(figures::add);
        var copied = names.stream().limit(NAMES_MAX).collect(Collectors.joining(", "));
        boolean same = link.from() == link.to();
        var what = link.property()
                + (kinds.isEmpty()
                        ? ""
                        : " of items with " + from.seen().kindProperty().orElse("type") + " "
                                + kinds.stream().map(kind -> "'" + kind + "'").collect(Collectors.joining(", ")));
        return from.finding(
                Kind.REPEATED_LOOKUP,
                same
                        ? "What queries of " + from.name() + " find is then read one by one"
                        : "The property " + what + " in " + from.name() + " is looked up one by one in " + to.name(),
                figures,
                same
                        ? "Let the query select what is needed, or read all of it with one read of many items."
                        : "Copy what is shown of " + to.name() + (copied.isEmpty() ? "" : " (of " + copied + ")")
                                + " into these items when they are written. A consumer of the change feed of "
                                + to.name() + " brings the copies up to date when it changes.",
                new Charge(
                        "call",
                        calls,
                        calls == 0 ? 0 : (own + reads * charge) / calls,
                        calls == 0 ? 0 : own / calls,
                        same ? Upkeep.NONE : upkeep(from, kinds, names.size())));
    }

    /** Every item with copies has that many more values in its index. */
    private static Upkeep upkeep(Subject from, Set<String> kinds, int names) {
        long writes = kinds.isEmpty()
                ? from.writesWith(Optional.empty())
                : kinds.stream()
                        .mapToLong(kind -> from.writesWith(Optional.of(new Str(kind))))
                        .sum();
        return Upkeep.of(names * from.priceOfTerm(1), writes);
    }

    /** All calls that look up one item. */
    private static Whole ways(Subject to) {
        long calls = to.seen().reads();
        double charge = to.seen().readCharge();
        for (var pattern : to.seen().patterns()) {
            if (QueryByIdAdvice.isAbout(pattern)) {
                calls += pattern.calls();
                charge += pattern.effects().charge();
            }
        }
        return new Whole(calls, charge);
    }

    /** All calls of a source. */
    private record Whole(long calls, double charge) {}

    private static Whole whole(Subject from, String pattern) {
        return pattern.isEmpty()
                ? new Whole(from.seen().reads(), from.seen().readCharge())
                : find(from, pattern)
                        .map(one -> new Whole(one.calls(), one.effects().charge()))
                        .orElse(new Whole(0, 0));
    }

    /** For how many rows each one stands that was looked at. */
    private static double perSampled(Subject from, String pattern) {
        long sampled = rowsSampled(from, pattern);
        long rows = pattern.isEmpty()
                ? from.seen().reads()
                : find(from, pattern).map(one -> one.effects().rows()).orElse(0L);
        return sampled == 0 ? 0 : (double) rows / sampled;
    }

    private static long rowsSampled(Subject from, String pattern) {
        return pattern.isEmpty()
                ? from.seen().readsSampled()
                : find(from, pattern).map(PatternNotes.Figures::rowsSampled).orElse(0L);
    }

    private static Optional<PatternNotes.Figures> find(Subject from, String pattern) {
        return from.seen().patterns().stream()
                .filter(one -> one.text().equals(pattern))
                .findFirst();
    }
}
