package dev.orrery.engine.advice;

import dev.orrery.engine.budget.Budgets;
import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Location;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells from what was asked how the same could be had for less. */
public final class Advisor {
    private final Catalog catalog;
    private final Budgets budgets;
    private final Workload workload;
    private final Instant since;

    public Advisor(Catalog catalog, Budgets budgets, Workload workload, Instant since) {
        this.catalog = catalog;
        this.budgets = budgets;
        this.workload = workload;
        this.since = since;
    }

    public Advice advise() {
        var figures = workload.figures();
        var subjects = subjects(figures);
        var findings = Stream.concat(
                        subjects.values().stream().flatMap(this::findings),
                        new LookupAdvice(subjects, figures.lookups()).findings())
                .toList();
        var uses = subjects.values().stream()
                .map(Subject::use)
                .sorted(Comparator.comparingDouble(ContainerUse::charge).reversed())
                .toList();
        return new Advice(since, uses, sorted(merged(findings)));
    }

    private static List<Finding> merged(List<Finding> findings) {
        var merged = new ArrayList<Finding>();
        for (var finding : findings) {
            var same = merged.stream().filter(finding::isOneWith).findFirst();
            same.ifPresentOrElse(
                    known -> merged.set(merged.indexOf(known), known.with(finding)), () -> merged.add(finding));
        }
        return merged;
    }

    private static List<Finding> sorted(List<Finding> findings) {
        return findings.stream()
                .map(Finding::weighed)
                .sorted(Comparator.comparingDouble(
                                (Finding finding) -> finding.charge().saved())
                        .reversed())
                .toList();
    }

    private Map<Integer, Subject> subjects(Workload.Figures figures) {
        var subjects = new HashMap<Integer, Subject>();
        for (var container : catalog.containers()) {
            var seen = figures.containers().get(container.number());
            var database = catalog.find(container.resource().parent().orElseThrow());
            if (seen != null && database.isPresent()) {
                var location =
                        new Location(database.get().id(), container.resource().id());
                subjects.put(
                        container.number(),
                        new Subject(
                                container,
                                location,
                                views(container),
                                seen,
                                budgets.metering().prices()));
            }
        }
        return subjects;
    }

    private Subject.Views views(Container container) {
        var byKey = new HashMap<String, String>();
        var source = Optional.<String>empty();
        for (var other : catalog.containers()) {
            if (other.isViewOf(container)) {
                var paths = other.definition().partitionKey().paths();
                if (paths.size() == 1) {
                    byKey.put(paths.getFirst().text(), other.resource().id());
                }
            }
            if (container.isViewOf(other)) {
                source = Optional.of(other.resource().id());
            }
        }
        return new Subject.Views(byKey, source);
    }

    private Stream<Finding> findings(Subject subject) {
        if (subject.isOfLeases()) {
            return Stream.empty();
        }
        var container = subject.container();
        var charges = container.ranges().live().stream()
                .map(range -> budgets.of(container, range).total())
                .toList();
        return Stream.of(
                        new FanOutAdvice(subject).findings(),
                        new QueryByIdAdvice(subject).findings(),
                        new CountAdvice(subject).findings(),
                        new IndexAdvice(subject).findings(),
                        new FilterAdvice(subject).findings(),
                        new ArrayAdvice(subject).findings(),
                        new PartitionAdvice(subject, charges).findings())
                .flatMap(some -> some);
    }
}
