package dev.orrery.engine.query;

import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.item.ScopeSlices;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.ListItems;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.query.Continuation.Purpose;
import dev.orrery.model.memory.MemoryBudget;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Reading all items of a scope, page by page. */
public final class Feeds {
    private final Router router;
    private final Prices prices;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final MemoryBudget memory;

    public Feeds(Router router, Prices prices, InstantSource clock, LongSupplier nanos, MemoryBudget memory) {
        this.router = router;
        this.prices = prices;
        this.clock = clock;
        this.nanos = nanos;
        this.memory = memory;
    }

    /** The same, with one range as a snapshot shows it. */
    public Feeds seeing(Router.Route frozen) {
        return new Feeds(router.seeing(frozen), prices, clock, nanos, memory);
    }

    public Outcome list(Container container, ListItems list, Caller caller) {
        return ScopeSlices.read(router, container, list.scope(), caller, covered -> list(covered, list, caller));
    }

    private Outcome list(ScopeSlices covered, ListItems list, Caller caller) {
        try (var bounds = QueryBounds.startingNow(nanos, memory)) {
            return list(covered, list, caller, bounds);
        }
    }

    private Outcome list(ScopeSlices covered, ListItems list, Caller caller, QueryBounds bounds) {
        var container = covered.container();
        var purpose = Purpose.of(container.rid().toString());
        var from = list.page()
                .continuation()
                .map(token -> Continuation.decode(SpreadToken.unwrapped(token), purpose))
                .orElseGet(() -> Continuation.start(purpose, clock.instant()));
        var last = new AtomicReference<>(from.key());
        var scan = ItemScan.of(covered);
        var page = new PageFill(list.page(), nanos, bounds);
        var behind = Arrays.copyOf(last.get(), last.get().length + 1); // The least key above the last one.
        boolean ended = scan.walk(behind, clock.instant().getEpochSecond(), (key, item) -> {
            if (page.isFull() || page.isOverTime()) {
                return false;
            }
            if (!page.add(item.json())) {
                return false;
            }
            last.set(key);
            return true;
        });
        Optional<String> next = ended
                ? Optional.empty()
                : Optional.of(SpreadToken.of(from.at(0, 0, last.get()).encode(), list.scope(), covered));
        var bill = prices.page(Math.max(1, scan.rangesAsked()), page.rows(), caller);
        return new Outcome(
                new Answer.Feed(ResourceKind.ITEM, container.rid().toString(), page.rows()),
                bill,
                covered.facts().withPage(next, Optional.empty()));
    }
}
