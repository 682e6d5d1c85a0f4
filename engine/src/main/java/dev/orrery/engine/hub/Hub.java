package dev.orrery.engine.hub;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.Settler;
import dev.orrery.engine.item.Settler.Verdict;
import dev.orrery.engine.item.ShippedChange;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.partition.Lane.Done;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.replica.LostChange;
import dev.orrery.engine.replica.Replica;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Settles what regions have written, at the one of them that is the hub. */
public final class Hub {
    private final Catalog catalog;
    private final Partitions partitions;
    private final Replica replica;
    private final InstantSource clock;
    private final Map<Verdict, LongAdder> counts = new ConcurrentHashMap<>();

    public Hub(Catalog catalog, Partitions partitions, Replica replica, InstantSource clock) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.replica = replica;
        this.clock = clock;
    }

    /**
     * Settles what a region offers; durable when this returns. Offering the same again does no harm. Nothing is said of a range
     * that is not here.
     *
     * @param slot of the region
     * @param region its name
     */
    public Optional<Settled> settle(int slot, String region, Offer offer) {
        var container = container(offer);
        if (container.isEmpty() || !replica.has(offer.range())) {
            return Optional.empty();
        }
        var partition =
                partitions.resolve(offer.range().container(), offer.range().range());
        var left = offer.writes();
        while (!left.isEmpty()) {
            int settled = settle(partition, slot, offer, left);
            left = left.subList(settled, left.size());
            if (!left.isEmpty()) {
                keep(partition, slot, region, offer, left.getFirst());
                left = left.subList(1, left.size());
            }
        }
        try (var snapshot = partition.snapshot()) {
            var upTo = Frontier.decode(snapshot.get(Frontier.key(slot)));
            return Optional.of(
                    new Settled(offer.range(), upTo, partition.epochs().last(), partition.lsn()));
        }
    }

    private Optional<Container> container(Offer offer) {
        return catalog.containers().stream()
                .filter(container -> container.number() == offer.range().container())
                .findFirst();
    }

    /** Settles them one after the other, up to one that has to be kept; tells how many that were. */
    private int settle(Partition partition, int slot, Offer offer, List<Tentative> writes) {
        var pending = new ArrayList<CompletableFuture<Done<Verdict>>>();
        for (int i = 0; i < writes.size(); i++) {
            var write = writes.get(i);
            var before = i == 0 ? Optional.<Tentative>empty() : Optional.of(writes.get(i - 1));
            pending.add(partition.submit(unit -> {
                var reached = Frontier.decode(unit.get(Frontier.key(slot)));
                // None is settled without those before it, whatever became of them.
                if (before.isPresent() && !Frontier.covers(reached, before.get().place())) {
                    return Verdict.KEPT;
                }
                return Settler.settle(unit, container(offer).orElseThrow(), slot, write);
            }));
        }
        int settled = 0;
        CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new)).join();
        for (var one : pending) {
            var verdict = one.join().result();
            if (verdict == Verdict.KEPT) {
                return settled;
            }
            count(verdict);
            settled++;
        }
        return settled;
    }

    /** Puts a write into the conflicts feed, and goes on behind it. */
    private void keep(Partition partition, int slot, String region, Offer offer, Tentative write) {
        var change = write.item().isEmpty()
                ? LogEntry.Change.DELETE
                : write.base().isEmpty() ? LogEntry.Change.CREATE : LogEntry.Change.REPLACE;
        var entry = new LogEntry(
                change,
                write.second(),
                write.item().map(StoredItem::document).orElse(0L),
                Optional.empty(),
                write.key());
        var lost = new LostChange(
                offer.range(), 0, write.place().lsn(), write.place().sequence(), entry, write.item());
        replica.keepLost(region, List.of(lost), clock.instant().getEpochSecond());
        partition
                .submit(unit -> {
                    ShippedChange.raise(unit, slot, write.place());
                    return null;
                })
                .join();
        count(Verdict.KEPT);
    }

    private void count(Verdict verdict) {
        counts.computeIfAbsent(verdict, same -> new LongAdder()).increment();
    }

    /** How often each verdict was given since the start. */
    public long count(Verdict... verdicts) {
        long sum = 0;
        for (var verdict : verdicts) {
            var count = counts.get(verdict);
            sum += count == null ? 0 : count.sum();
        }
        return sum;
    }
}
