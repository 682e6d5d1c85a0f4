package dev.orrery.engine.hub;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.Ruling;
import dev.orrery.engine.item.Ruling.Verdict;
import dev.orrery.engine.item.Settler;
import dev.orrery.engine.item.ShippedChange;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.Origin;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.partition.Lane.Done;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.replica.LostChange;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.engine.replica.Replica;
import dev.orrery.engine.script.Scripts;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settles what regions have written, at the one of them that is the hub. */
public final class Hub {
    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);

    private static final long WARN_SECONDS = 60;

    private final Catalog catalog;
    private final Partitions partitions;
    private final Replica replica;
    private final Scripts scripts;
    private final Settler settler;
    private final InstantSource clock;
    private final Map<Ruling, LongAdder> counts = new ConcurrentHashMap<>();
    private final Map<RangeId, Long> warned = new ConcurrentHashMap<>();

    public Hub(
            Catalog catalog,
            Partitions partitions,
            Replica replica,
            Scripts scripts,
            Settler settler,
            InstantSource clock) {
        this.settler = settler;
        this.catalog = catalog;
        this.partitions = partitions;
        this.replica = replica;
        this.scripts = scripts;
        this.clock = clock;
    }

    /**
     * Settles what a region offers, up to what cannot be settled at present; durable when this returns. Offering the same again
     * does no harm. Nothing is said of a range that is not here, or when nothing could be settled.
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
        try {
            settle(partition, slot, region, offer);
        } catch (RuntimeException problem) {
            warn(container.get(), region, offer, problem);
        }
        try (var snapshot = partition.snapshot()) {
            var upTo = Frontier.decode(snapshot.get(Frontier.key(slot)));
            var settled = new Settled(offer.range(), upTo, partition.epochs().last(), partition.lsn());
            return Optional.of(settled)
                    .filter(_ -> Frontier.covers(upTo, offer.writes().getFirst().place()));
        }
    }

    private void settle(Partition partition, int slot, String region, Offer offer) {
        var left = offer.writes();
        while (!left.isEmpty()) {
            var rulings = ruleOn(partition, slot, region, offer, left);
            var last = rulings.getLast();
            boolean isOpen = last.verdict() == Verdict.OPEN;
            int ruled = rulings.size() - (isOpen ? 1 : 0);
            rulings.subList(0, ruled).forEach(this::note);
            left = left.subList(ruled, left.size());
            if (isOpen && decide(partition, slot, region, offer, left.getFirst(), last)) {
                left = left.subList(1, left.size());
            }
        }
    }

    /** Says once in a while that the writes of a region have to wait, and what to do where people can do something. */
    private void warn(Container container, String region, Offer offer, RuntimeException problem) {
        long second = clock.instant().getEpochSecond();
        if (!replica.takesWrites() || second < warned.getOrDefault(offer.range(), 0L) + WARN_SECONDS) {
            return;
        }
        warned.put(offer.range(), second);
        if (unwrapped(problem) instanceof FailureException refused) {
            LOG.warn(
                    "What {} wrote to {} waits to be settled: {}{}",
                    region,
                    container.ownerPath(),
                    refused.failure().message(),
                    refused.failure() instanceof Failure.Forbidden
                            ? " Conflicts that are kept for people take of it, too: read them, and delete those that"
                                    + " are done with."
                            : "");
        } else {
            LOG.warn("What {} wrote to {} waits to be settled", region, container.ownerPath(), problem);
        }
    }

    private static Throwable unwrapped(Throwable problem) {
        return problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
    }

    private Optional<Container> container(Offer offer) {
        return catalog.containers().stream()
                .filter(container -> container.number() == offer.range().container())
                .findFirst();
    }

    /** Settles them one after the other, up to the first that no rule settles; tells what was said of each up to there. */
    private List<Ruling> ruleOn(Partition partition, int slot, String region, Offer offer, List<Tentative> writes) {
        var pending = new ArrayList<CompletableFuture<Done<Optional<Ruling>>>>();
        for (int i = 0; i < writes.size(); i++) {
            var write = writes.get(i);
            var before = i == 0 ? Optional.<Tentative>empty() : Optional.of(writes.get(i - 1));
            pending.add(partition.submit(unit -> {
                var reached = Frontier.decode(unit.get(Frontier.key(slot)));
                // None is settled without those before it, whatever became of them.
                return before.isPresent()
                                && !Frontier.covers(reached, before.get().place())
                        ? Optional.empty()
                        : Optional.of(settler.settle(unit, container(offer).orElseThrow(), slot, write));
            }));
        }
        var rulings = new ArrayList<Ruling>();
        for (var one : pending) {
            try {
                var ruling = one.join().result();
                if (ruling.isEmpty()) {
                    break;
                }
                rulings.add(ruling.get());
            } catch (CompletionException refused) {
                if (!Settler.isFinal(refused.getCause())) {
                    throw refused;
                }
                keep(partition, slot, region, offer, writes.get(rulings.size()));
                rulings.add(Ruling.REFUSED);
                break;
            }
        }
        return rulings;
    }

    /** Settles what no rule settles; false when it has to be looked at again. */
    private boolean decide(Partition partition, int slot, String region, Offer offer, Tentative write, Ruling open) {
        var container = container(offer).orElseThrow();
        boolean isAskedFor =
                !container.definition().conflictResolutionPolicy().procedure().isEmpty();
        if (write.item().isEmpty() && !isAskedFor) {
            return removeAndKeep(partition, slot, region, offer, write, open);
        }
        return switch (scripts.merge(container, slot, write)
                .toCompletableFuture()
                .join()) {
            case DONE -> {
                note(open.as(Verdict.MERGED));
                yield true;
            }
            case FAILED -> {
                keep(partition, slot, region, offer, write);
                note(open.as(Verdict.KEPT));
                yield true;
            }
            case OUTDATED -> false;
        };
    }

    /** A delete wins, and what it removes is put into the conflicts feed; false when that has changed meanwhile. */
    private boolean removeAndKeep(
            Partition partition, int slot, String region, Offer offer, Tentative write, Ruling open) {
        Optional<StoredItem> loser;
        try (var snapshot = partition.snapshot()) {
            loser = Optional.ofNullable(snapshot.get(write.key().bytes())).map(StoredItem::decode);
            loser.ifPresent(item -> {
                var entry = LogEntry.decode(snapshot.get(LogKey.of(item).encode()));
                var origin = entry.origin().orElse(new Origin(slot, write.place()));
                keepLost(nameOf(origin.slot(), region), offer, origin.place(), entry, loser);
            });
        }
        boolean isDone = loser.isPresent()
                && partition
                        .submit(unit -> settler.remove(
                                unit,
                                container(offer).orElseThrow(),
                                slot,
                                write,
                                loser.get().etag()))
                        .join()
                        .result();
        if (isDone) {
            note(open.as(Verdict.WON));
        }
        return isDone;
    }

    private String nameOf(int slot, String other) {
        return partitions
                .writers()
                .map(all -> all.regions().get().names().get(slot))
                .orElse(other);
    }

    private void keepLost(String region, Offer offer, LogKey place, LogEntry entry, Optional<StoredItem> item) {
        var lost = new LostChange(offer.range(), 0, place.lsn(), place.sequence(), entry, item);
        replica.keepLost(region, List.of(lost), clock.instant().getEpochSecond());
    }

    /** Puts a write into the conflicts feed, and goes on behind it. */
    private void keep(Partition partition, int slot, String region, Offer offer, Tentative write) {
        var change = write.item().isEmpty()
                ? LogEntry.Change.DELETE
                : write.base().isEmpty() ? LogEntry.Change.CREATE : LogEntry.Change.REPLACE;
        var entry = new LogEntry(
                change,
                write.second(),
                write.item()
                        .or(() -> current(partition, write))
                        .map(StoredItem::document)
                        .orElse(0L),
                Optional.empty(),
                write.key());
        keepLost(region, offer, write.place(), entry, write.item());
        partition
                .submit(unit -> {
                    ShippedChange.raise(unit, slot, write.place());
                    return null;
                })
                .join();
    }

    private static Optional<StoredItem> current(Partition partition, Tentative write) {
        return Optional.ofNullable(partition.get(write.key().bytes())).map(StoredItem::decode);
    }

    private void note(Ruling ruling) {
        counts.computeIfAbsent(ruling, same -> new LongAdder()).increment();
    }

    /** The rulings that were given since the start. */
    public Set<Ruling> rulings() {
        return Set.copyOf(counts.keySet());
    }

    /** How often a ruling was given since the start. */
    public long count(Ruling ruling) {
        return counts.getOrDefault(ruling, new LongAdder()).sum();
    }
}
