package dev.orrery.engine.item;

import dev.orrery.engine.budget.Budget.Admission;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Access;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.engine.partition.RangeView;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.store.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a scope covers of the ranges of a container, in the order of keys.
 *
 * @param access how the scope was given
 */
public record ScopeSlices(Container container, Access access, List<Slice> slices) implements AutoCloseable {

    public ScopeSlices {
        slices = List.copyOf(slices);
    }

    /** The items of one range that lie between two keys. */
    public record Slice(Route route, RangeView view, KeyRange keys) {}

    /** Reads what a scope covers, unless the caller has to wait, and has each range paid the same share of it. */
    public static Outcome read(
            Router router, Container container, Scope scope, Caller caller, Function<ScopeSlices, Outcome> reading) {
        var admissions = new ArrayList<Admission>();
        try (var covered = covering(router, container, scope)) {
            for (var slice : covered.slices) {
                Router.demandSession(slice.route(), caller);
                admissions.add(slice.route().budget().admit(caller.spending()));
            }
            var outcome = reading.apply(covered);
            double share = outcome.charge() / Math.max(1, admissions.size());
            admissions.forEach(admission -> admission.spend(share));
            return outcome;
        } catch (RuntimeException | Error failed) {
            admissions.forEach(Admission::release);
            throw failed;
        }
    }

    public static ScopeSlices covering(Router router, Container container, Scope scope) {
        List<Range> ranges = scope.rangeId()
                .map(name -> List.of(container.ranges().resolve(name)))
                .orElse(container.ranges().live());
        var epks = scope.epkRange().orElse(EpkRange.ALL);
        var access = Access.SCAN;
        Optional<LogicalPartition> single = Optional.empty();
        if (scope.partition().isPresent()) {
            var definition = container.definition().partitionKey();
            var key = definition.settled(scope.partition().get());
            definition.requirePrefix(key);
            var epk = EffectivePartitionKey.of(key, definition);
            if (definition.isComplete(key)) {
                single = Optional.of(new LogicalPartition(epk, key));
                access = Access.PARTITIONS;
            } else {
                access = Access.PREFIX;
                epks = intersection(epks, EpkRange.startingWith(epk));
            }
        }
        var slices = new ArrayList<Slice>();
        for (var range : ranges) {
            var part = intersection(epks, range.epks());
            if (part.isEmpty()
                    || (single.isPresent() && !part.contains(single.get().epk()))) {
                continue;
            }
            var keys = single.map(LogicalPartition::itemKeys).orElseGet(() -> ItemKey.keysOf(part));
            var route = router.route(container, range);
            slices.add(new Slice(route, route.view(), keys));
        }
        return new ScopeSlices(container, access, slices);
    }

    /** Whether the first range of the container is among them, which everything is that covers all of it. */
    public boolean isFromStart() {
        return !slices.isEmpty()
                && slices.getFirst().route().range().epks().min().equals(EffectivePartitionKey.MIN);
    }

    private static EpkRange intersection(EpkRange one, EpkRange other) {
        var min = one.min().compareTo(other.min()) > 0 ? one.min() : other.min();
        var max = one.max().compareTo(other.max()) < 0 ? one.max() : other.max();
        return new EpkRange(min, max);
    }

    /** Facts of a reply that covers all of it, and was made of what the views of it show. */
    public Facts facts() {
        if (slices.size() == 1) {
            var only = slices.getFirst();
            return only.route().facts(only.view().lsn(), Optional.empty(), Optional.empty());
        }
        var owner = new Owner(container.ownerPath(), container.rid().toString());
        var tokens = new ArrayList<String>();
        long lsn = 0;
        for (var slice : slices) {
            long reached = slice.view().lsn();
            tokens.add(slice.route().token(reached));
            lsn = Math.max(lsn, reached);
        }
        // Only clients that leave the spreading over ranges to the server get here; they understand a list of tokens.
        return Facts.ofRanges(owner, String.join(",", tokens), lsn);
    }

    @Override
    public void close() {
        slices.forEach(slice -> slice.view().close());
    }
}
