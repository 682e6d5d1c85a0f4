package dev.orrery.engine.hub;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.Origin;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.partition.LogReaders;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.partition.Writers;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.engine.replica.Replica;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What clients of this region read and write in an account that several regions write to: kept in step with what is settled,
 * and a source of what is to be settled. Each range is worked on by one thread at a time.
 */
public final class Fronts {
    private static final Logger LOG = LoggerFactory.getLogger(Fronts.class);

    private static final int OFFER_WRITES_MAX = 500;
    private static final int OFFER_BYTES_MAX = 2 << 20;

    private final Catalog catalog;
    private final Partitions partitions;
    private final Replica replica;
    private final Writers writers;
    private final Executor workers;
    private final Map<RangeId, FrontState> states = new ConcurrentHashMap<>();
    private final ConfirmTimes times = new ConfirmTimes();
    private volatile Safety safety = (range, lsn) -> true;
    private volatile Runnable written = () -> {};
    private volatile boolean closed;

    /** Whether what is settled would outlive the loss of this region. */
    @FunctionalInterface
    public interface Safety {
        boolean isKnownElsewhere(RangeId range, long lsn);
    }

    public Fronts(Catalog catalog, Partitions partitions, Replica replica, Writers writers, Executor workers) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.replica = replica;
        this.writers = writers;
        this.workers = workers;
    }

    /**
     * Begins to work, once this region has joined its account.
     *
     * @param known tells whether what is settled is known elsewhere
     * @param someWritten told when there is something to offer; must be quick
     */
    public void start(Safety known, Runnable someWritten) {
        safety = known;
        written = someWritten;
        partitions.watchAll(id -> {
            if (Partitions.isFront(id)) {
                written.run();
            } else {
                wake(Replica.rangeId(id));
            }
        });
        replica.watchCatalog(this::wakeAll);
        wakeAll();
    }

    /** Works on nothing any more. */
    public void close() {
        closed = true;
    }

    public int slot() {
        return writers.slot();
    }

    /** Lets clients write in this region. */
    public void grant() {
        writers.right().grant();
    }

    public boolean isGranted() {
        return writers.right().isHeld();
    }

    public void withdraw(String reason) {
        writers.right().withdraw(reason);
    }

    // ---- what is to be settled ----

    /** The next writes that are to be settled, of ranges that have some. */
    public List<Offer> offers() {
        var offers = new ArrayList<Offer>();
        int room = OFFER_WRITES_MAX;
        long bytes = OFFER_BYTES_MAX;
        for (var range : replica.ranges()) {
            var partition = clientSide(range);
            if (partition.front().orElseThrow().pending() == 0 || room <= 0 || bytes <= 0) {
                continue;
            }
            // One that has to wait takes no room from others.
            int more = Math.min(room, state(range).isStalled() ? 1 : OFFER_WRITES_MAX);
            var writes = new ArrayList<Tentative>();
            var from = Tentative.rowKey(state(range).offered());
            try (var snapshot = partition.snapshot();
                    var cursor = snapshot.scan(new KeyRange(from, KeySpace.TENTATIVE.end()), Direction.FORWARD)) {
                while (writes.size() < more && bytes > 0 && cursor.next()) {
                    var place = Tentative.place(cursor.key());
                    if (!place.equals(state(range).offered())) {
                        writes.add(Tentative.decode(place, cursor.value()));
                        bytes -= cursor.value().length;
                    }
                }
            }
            if (!writes.isEmpty()) {
                room -= writes.size();
                offers.add(new Offer(range, writes));
            }
        }
        return offers;
    }

    /** Takes what the hub has said of offers: nothing of those of which it could settle nothing. */
    public void hear(List<Offer> offers, List<Settled> settled) {
        for (var offer : offers) {
            var last = offer.writes().getLast().place();
            state(offer.range())
                    .stall(settled.stream()
                            .noneMatch(one -> one.range().equals(offer.range()) && Frontier.covers(one.upTo(), last)));
        }
        for (var one : settled) {
            state(one.range()).hear(one);
            wake(one.range());
        }
    }

    /** Offers everything again that may not be known to the hub: it is another one. */
    public void offerAnew() {
        states.values().forEach(FrontState::offerAnew);
    }

    /** Whether a settled change that is about to be given up need not be told as lost: its region offers it again. */
    public boolean willBeOfferedAgain(RangeId range, Origin origin) {
        return origin.slot() != writers.slot() || clientSide(range).get(Tentative.rowKey(origin.place())) != null;
    }

    /** How many writes of this region are kept until they are settled and known elsewhere. */
    public long pending() {
        return !writers.isJoined().getAsBoolean()
                ? 0
                : replica.ranges().stream()
                        .mapToLong(
                                range -> clientSide(range).front().orElseThrow().pending())
                        .sum();
    }

    public ConfirmTimes times() {
        return times;
    }

    // ---- keeping in step ----

    /** Looks after all ranges, also those that nobody has told of. */
    public void wakeAll() {
        replica.ranges().forEach(this::wake);
        states.keySet().removeIf(range -> !replica.has(range));
    }

    private void wake(RangeId range) {
        if (closed || !writers.isJoined().getAsBoolean() || !state(range).begin()) {
            return;
        }
        try {
            workers.execute(() -> work(range));
        } catch (RejectedExecutionException _) {
            // The server stops.
        }
    }

    private void work(RangeId range) {
        var state = state(range);
        int seen;
        do {
            seen = state.due();
            try {
                if (replica.has(range) && !closed) {
                    keepInStep(range, state);
                }
            } catch (RuntimeException problem) {
                // The container may just have been deleted; whatever was left undone is due again next time.
                LOG.debug("Taking over what is settled of {} stopped early", range, problem);
            }
        } while (!state.end(seen));
    }

    private void keepInStep(RangeId range, FrontState state) {
        var settled = partitions.resolve(range.container(), range.range());
        var container = container(range);
        if (settled.isIncomplete() || container.isEmpty()) {
            return;
        }
        var clientSide = clientSide(range);
        try (var step = new Confirmation(container.get(), catalog, settled, clientSide, writers.slot())) {
            step.takeOver();
            settled.readers().note(LogReaders.CLIENTS, step.lsn());
            state.verdict().ifPresent(verdict -> letGo(step, state, verdict, clientSide));
        }
        forget(range, state, clientSide);
    }

    private void letGo(Confirmation step, FrontState state, Settled verdict, Partition clientSide) {
        if (step.has(verdict)) {
            step.letGo(state.letGo(), verdict.upTo());
            state.haveLetGo(verdict.upTo());
            clientSide
                    .front()
                    .orElseThrow()
                    .nanosUntilSettled(verdict.upTo().lsn())
                    .ifPresent(times::add);
        } else if (step.isParted(verdict)) {
            state.offerAnew();
        }
    }

    /** Keeps no more of this region's writes than might have to be offered again. */
    private void forget(RangeId range, FrontState state, Partition clientSide) {
        for (var settled = state.oldestUnsafe();
                settled.isPresent()
                        && Frontier.covers(state.letGo(), settled.get().upTo())
                        && safety.isKnownElsewhere(range, settled.get().lsn());
                settled = state.oldestUnsafe()) {
            Confirmation.forget(clientSide, settled.get().upTo());
            state.isSafe(settled.get());
        }
    }

    private Optional<Container> container(RangeId range) {
        return catalog.containers().stream()
                .filter(container -> container.number() == range.container())
                .findFirst();
    }

    private FrontState state(RangeId range) {
        return states.computeIfAbsent(range, same -> new FrontState());
    }

    private Partition clientSide(RangeId range) {
        return partitions.forClients(range.container(), range.range());
    }
}
