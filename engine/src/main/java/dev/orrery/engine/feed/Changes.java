package dev.orrery.engine.feed;

import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.feed.ChangePlace.Reached;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.item.ScopeSlices;
import dev.orrery.engine.item.ScopeSlices.Slice;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.ReadChanges;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.query.PageFill;
import dev.orrery.engine.query.QueryBounds;
import dev.orrery.model.memory.MemoryBudget;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Reading what has changed, page by page. */
public final class Changes {
    private final Router router;
    private final Prices prices;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Retention retention;
    private final MemoryBudget memory;

    public Changes(
            Router router,
            Prices prices,
            InstantSource clock,
            LongSupplier nanos,
            Retention retention,
            MemoryBudget memory) {
        this.router = router;
        this.prices = prices;
        this.clock = clock;
        this.nanos = nanos;
        this.retention = retention;
        this.memory = memory;
    }

    /** Whether nothing has been committed since the place that a reader goes on from, so that there is nothing to read. */
    public boolean isIdle(Container container, ReadChanges read) {
        var after = read.wanted().after().filter(tag -> !isNow(tag));
        if (after.isEmpty()) {
            return false;
        }
        var place = ChangePlace.parse(after.get());
        try (var covered = ScopeSlices.covering(router, container, read.scope())) {
            return covered.slices().stream().allMatch(slice -> isIdle(slice, place));
        }
    }

    private static boolean isIdle(Slice slice, ChangePlace place) {
        return place.lsnOf(slice.route().range())
                .filter(lsn -> lsn == slice.route().partition().lsn())
                .isPresent();
    }

    private static boolean isNow(String tag) {
        return tag.strip().equals(ChangesWanted.NOW);
    }

    /** An answer that nothing has changed carries the place to go on from as well. */
    public Outcome read(Container container, ReadChanges read, Caller caller) {
        return ScopeSlices.read(router, container, read.scope(), caller, covered -> read(covered, read, caller));
    }

    private Outcome read(ScopeSlices covered, ReadChanges read, Caller caller) {
        try (var bounds = QueryBounds.startingNow(nanos, memory)) {
            return read(covered, read, caller, bounds);
        }
    }

    private Outcome read(ScopeSlices covered, ReadChanges read, Caller caller, QueryBounds bounds) {
        var page = new PageFill(new Page(read.itemsMax(), Optional.empty()), nanos, bounds);
        var slices = new ArrayList<>(covered.slices());
        Optional<ChangePlace> from =
                read.wanted().after().filter(tag -> !isNow(tag)).map(ChangePlace::parse);
        if (from.isPresent() && slices.stream().allMatch(slice -> isIdle(slice, from.get()))) {
            return answer(covered, page, 0, true, from.get(), caller);
        }
        from.ifPresent(place -> slices.sort(
                Comparator.comparingInt(slice -> place.turnOf(slice.route().range()))));
        var reached = new ArrayList<Reached>();
        boolean drained = true;
        int served = 0;
        for (var slice : slices) {
            var changes = open(covered.container(), slice, read.wanted(), from);
            if (drained) {
                drained = changes.read(page);
                served++;
            }
            reached.add(new Reached(slice.route().range().id(), changes.lsn()));
        }
        // Those that have had nothing yet come first the next time.
        Collections.rotate(reached, drained ? 0 : -served);
        return answer(covered, page, served, drained, new ChangePlace(reached), caller);
    }

    private SliceChanges open(Container container, Slice slice, ChangesWanted wanted, Optional<ChangePlace> from) {
        return new SliceChanges(
                slice, wanted, from, clock.instant().getEpochSecond(), retention.of(container.definition()));
    }

    private Outcome answer(
            ScopeSlices covered, PageFill page, int rangesAsked, boolean drained, ChangePlace reached, Caller caller) {
        var rid = covered.container().rid().toString();
        Answer answer = drained && page.rows().isEmpty()
                ? new Answer.NotModified()
                : new Answer.Feed(ResourceKind.ITEM, rid, page.rows());
        var bill = prices.page(rangesAsked, page.rows(), caller);
        return new Outcome(answer, bill, covered.facts().withEtag(reached.tag()));
    }
}
