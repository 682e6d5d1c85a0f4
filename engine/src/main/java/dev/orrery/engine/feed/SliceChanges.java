package dev.orrery.engine.feed;

import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.item.ScopeSlices.Slice;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.engine.key.VersionKey;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.partition.Front;
import dev.orrery.engine.query.PageFill;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The changes of one range, or of a part of it, as of one moment. */
final class SliceChanges {
    private static final int BATCH = 128;

    /** So many of a batch are in memory before it is known how large they are; an item may have 2 MB. */
    private static final int READ_AT_ONCE = 8;

    /** One change that has been found, not yet whether it is to be told. */
    private record Found(LogKey place, LogEntry entry) {}

    private final boolean inRegions;
    private final Optional<Front> front;
    private final KeyRange keys;
    private final ChangesWanted wanted;
    private final Duration retention;
    private final long nowSecond;
    private final long sinceSecond;
    private final boolean withPrevious;
    private final TimeToLive timeToLive;
    private final PartitionKeyDefinition definition;
    private final Snapshot snapshot;
    private final PartitionState state;
    private final int batchMax;
    private long lsn;

    SliceChanges(Slice slice, ChangesWanted wanted, Optional<ChangePlace> from, long nowSecond, Duration retention) {
        this.keys = slice.keys();
        this.inRegions = slice.route().partition().front().isPresent()
                || !slice.route().partition().epochs().all().isEmpty();
        this.front = slice.route().partition().front();
        this.wanted = wanted;
        this.retention = retention;
        this.nowSecond = nowSecond;
        this.sinceSecond = wanted.since().map(Instant::getEpochSecond).orElse(0L);
        var container = slice.route().container().definition();
        this.withPrevious = wanted.previous() || container.changeFeedPolicy().isPresent();
        this.timeToLive = TimeToLive.of(container);
        this.definition = container.partitionKey();
        this.snapshot = slice.view().snapshot();
        this.state = slice.view().state();
        this.batchMax = batchMax(state);
        this.lsn = start(slice.route().range(), from);
    }

    /** No more at once than a page has room for: items may be large. */
    private static int batchMax(PartitionState state) {
        long itemBytes = state.itemBytes() / Math.max(1, state.items());
        return Math.clamp(Limits.PAGE_BYTES_MAX / Math.max(1, itemBytes), 1, BATCH);
    }

    /** Everything up to here has been told. */
    long lsn() {
        return lsn;
    }

    private long start(Range range, Optional<ChangePlace> from) {
        long start = from.isPresent() ? goOn(range, from.get()) : begin();
        if (wanted.mode() == ChangeMode.ALL_VERSIONS) {
            demandAllVersions(start, from.isEmpty());
        }
        return start;
    }

    private long goOn(Range range, ChangePlace from) {
        long reached = from.lsnOf(range)
                .orElseThrow(() -> bad("The place to go on from, " + from.tag() + ", says nothing about range "
                        + range.name() + ": it came from another part of the container."));
        if (reached == ChangePlace.END) {
            return state.lsn();
        }
        front.ifPresent(counted -> counted.demandOwnPlace(reached));
        if (reached > state.lsn() && inRegions) {
            throw new FailureException(new Failure.SessionNotAvailable("The place to go on from, " + from.tag()
                    + ", is ahead of this region, whose copy of range " + range.name() + " has come to " + state.lsn()
                    + "."));
        }
        if (reached > state.lsn()) {
            throw bad("The place to go on from, " + from.tag() + ", lies behind the last change of range "
                    + range.name() + ", which is " + state.lsn()
                    + ": it came from another container, or from data that this server does not have.");
        }
        return reached;
    }

    private long begin() {
        if (wanted.after().isPresent()) {
            return state.lsn();
        }
        if (wanted.since().isPresent()) {
            return LogWalk.before(snapshot, sinceSecond, state.lsn());
        }
        return 0;
    }

    /** What the log has lost must not be passed over in silence. */
    private void demandAllVersions(long start, boolean fresh) {
        if (fresh && wanted.after().isEmpty() && wanted.since().isEmpty()) {
            throw bad("You must read the change feed from within the retention period. All versions cannot be read from"
                    + " the beginning, because they are kept for " + minutes()
                    + " only: start from now (If-None-Match: *), from a time (If-Modified-Since),"
                    + " or where an earlier answer ended.");
        }
        boolean fromTime = fresh && wanted.since().isPresent();
        boolean lost = fromTime ? sinceSecond <= state.forgottenSecond() : start < state.forgottenLsn();
        if (lost) {
            throw forgotten();
        }
    }

    private FailureException forgotten() {
        return bad(
                "You must read the change feed from within the retention period. All versions are kept for " + minutes()
                        + " in this container, and some after the place asked for are"
                        + " gone. Read the latest versions instead, then go on from now; to keep them for longer, set"
                        + " changeFeedPolicy.retentionDuration of the container, in minutes.");
    }

    private String minutes() {
        return retention.toMinutes() == 1 ? "1 minute" : retention.toMinutes() + " minutes";
    }

    /**
     * Adds changes to a page until it is full. A commit is told whole or not at all.
     *
     * @return true when there are no more
     */
    boolean read(PageFill page) {
        try (var walk = new LogWalk(snapshot, lsn, state.lsn())) {
            boolean more = walk.next();
            while (more) {
                if (page.isFull() || page.isOverTime()) {
                    return false;
                }
                var batch = new ArrayList<Found>();
                int room = Math.min(batchMax, page.rowsMax() - page.rows().size());
                long taken;
                do {
                    if (isWanted(walk.entry())) {
                        batch.add(new Found(walk.place(), walk.entry()));
                    }
                    taken = walk.place().lsn();
                    more = walk.next();
                } while (more && (walk.place().lsn() == taken || (batch.size() < room && !page.isOverTime())));
                if (!tell(batch, page)) {
                    return false;
                }
                lsn = taken;
            }
        }
        lsn = state.lsn();
        return true;
    }

    private boolean isWanted(LogEntry entry) {
        var key = entry.item().bytes();
        return entry.second() >= sinceSecond
                && (wanted.mode() == ChangeMode.ALL_VERSIONS || !entry.change().isEnd())
                && Arrays.compareUnsigned(key, keys.from()) >= 0
                && Arrays.compareUnsigned(key, keys.to()) < 0;
    }

    /** False when the page was full before the end. */
    private boolean tell(List<Found> batch, PageFill page) {
        List<byte[]> items = List.of();
        for (int i = 0; i < batch.size(); i++) {
            if (i % READ_AT_ONCE == 0) {
                items = items(batch.subList(i, Math.min(i + READ_AT_ONCE, batch.size())));
            }
            var found = batch.get(i);
            if (i > 0 && found.place().lsn() != batch.get(i - 1).place().lsn()) {
                lsn = batch.get(i - 1).place().lsn();
                if (page.isFull()) {
                    return false;
                }
            }
            var item = items.get(i % READ_AT_ONCE);
            var live = item == null ? null : StoredItem.decode(item);
            boolean latest = live != null && LogKey.of(live).equals(found.place());
            text(found, latest ? live : null).ifPresent(page::addBeyond);
        }
        return true;
    }

    private List<byte[]> items(List<Found> changed) {
        return snapshot.multiGet(
                changed.stream().map(found -> found.entry().item().bytes()).toList());
    }

    /** What there is to say of a change; {@code live} is the item if this is its latest change. */
    private Optional<ByteBuffer> text(Found found, StoredItem live) {
        if (wanted.mode() == ChangeMode.ALL_VERSIONS) {
            Optional<StoredItem> current =
                    found.entry().change().isEnd() ? Optional.empty() : Optional.of(version(found, live));
            Optional<StoredItem> before =
                    withPrevious ? found.entry().previous().map(this::version) : Optional.empty();
            return Optional.of(ChangeText.change(current, before, found.place(), found.entry(), definition));
        }
        if (live == null || timeToLive.isOver(live, nowSecond)) {
            return Optional.empty();
        }
        return Optional.of(
                wanted.wrapped()
                        ? ChangeText.latest(live, found.place(), found.entry(), definition)
                        : ChangeText.item(live, found.place().lsn()));
    }

    private StoredItem version(Found found, StoredItem live) {
        return live == null ? version(found.place()) : live;
    }

    private StoredItem version(LogKey place) {
        var stored = snapshot.get(VersionKey.encode(place));
        if (stored == null) {
            throw forgotten(); // Written by a server that did not keep versions yet.
        }
        return StoredItem.decode(stored);
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
