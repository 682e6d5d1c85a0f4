package dev.orrery.region;

import dev.orrery.engine.key.CatalogVersion;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.engine.replica.RangeNews;
import dev.orrery.engine.replica.Replica;
import dev.orrery.region.Message.News;
import dev.orrery.region.Message.Position;
import dev.orrery.region.Message.Pull;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** What the write region knows of those who follow it: how far each has come, and what each has to be told. */
final class Followers {
    private static final long NEWS_BYTES_MAX = 4L << 20;

    private final Replica replica;
    private final ScheduledExecutorService timer;
    private final Executor workers;
    private final LongSupplier nanos;
    private final Map<String, Follower> byName = new ConcurrentHashMap<>();
    private final Stability stability;
    private final AtomicBoolean answering = new AtomicBoolean();
    private final Trail trail;

    Followers(
            Replica replica,
            Stability stability,
            ScheduledExecutorService timer,
            Executor workers,
            LongSupplier nanos) {
        this.replica = replica;
        this.stability = stability;
        this.timer = timer;
        this.workers = workers;
        this.nanos = nanos;
        this.trail = new Trail(nanos);
    }

    /** One that follows. What lanes and clients touch never waits for a lock: it may be held while rows are read. */
    private final class Follower {
        private final long session;
        private final Map<RangeId, Position> positions = new ConcurrentHashMap<>();
        private final Set<RangeId> due = ConcurrentHashMap.newKeySet();
        private final Set<RangeId> dueStable = ConcurrentHashMap.newKeySet();
        private final Map<RangeId, Long> toldStable = new HashMap<>();
        private volatile CatalogVersion catalog;
        private CompletableFuture<Message> waiting;
        private volatile long heardNanos;

        Follower(long session) {
            this.session = session;
        }

        /** Takes note of where it stands, which tells what it has stored. */
        synchronized void hear(Pull pull) {
            heardNanos = nanos.getAsLong();
            catalog = pull.catalog();
            pull.gone().forEach(range -> {
                positions.remove(range);
                due.remove(range);
                toldStable.remove(range);
            });
            positions.putAll(pull.positions());
            due.addAll(pull.positions().keySet());
            dueStable.addAll(pull.positions().keySet());
        }

        synchronized CompletionStage<Message> nextNews(int waitMillis) {
            var news = gather();
            if (news.isPresent() || waitMillis == 0) {
                return CompletableFuture.completedStage(news.orElse(NOTHING));
            }
            var promise = new CompletableFuture<Message>();
            waiting = promise;
            var end = timer.schedule(() -> inTurn(() -> giveUp(promise)), waitMillis, TimeUnit.MILLISECONDS);
            return promise.whenComplete((_, _) -> end.cancel(false));
        }

        /** Not while there is an answer in the making: what was gathered for it would be told to nobody, ever. */
        private synchronized void giveUp(CompletableFuture<Message> promise) {
            promise.complete(NOTHING);
        }

        void markDue(RangeId range) {
            if (positions.containsKey(range)) {
                due.add(range);
            }
        }

        void markStable(RangeId range) {
            dueStable.add(range);
        }

        /** Answers the question that waits, if there is one and something to tell. */
        synchronized void answer() {
            if (waiting != null && !waiting.isDone()) {
                gather().ifPresent(waiting::complete);
            }
        }

        private Optional<Message> gather() {
            var shipment = catalog.equals(replica.catalogVersion())
                    ? Optional.<dev.orrery.engine.catalog.CatalogShipment>empty()
                    : Optional.of(replica.catalogAfter(catalog));
            var ranges = new ArrayList<RangeNews>();
            boolean isAll = shipment.isEmpty();
            long bytesLeft = NEWS_BYTES_MAX;
            for (var range : List.copyOf(due)) {
                if (bytesLeft <= 0) {
                    isAll = false;
                    break;
                }
                due.remove(range);
                var position = positions.get(range);
                var news = position == null
                        ? Optional.<RangeNews>empty()
                        : replica.newsAfter(range, position.epoch(), position.lsn(), bytesLeft);
                if (news.isPresent() && isNew(news.get(), position)) {
                    ranges.add(news.get());
                    bytesLeft -= size(news.get());
                    if (news.get().shipment().completeLsn() < news.get().lsn()) {
                        due.add(range);
                        isAll = false;
                    }
                }
            }
            var stable = stableNews();
            return shipment.isEmpty() && ranges.isEmpty() && stable.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new News(shipment, ranges, stable, isAll, false));
        }

        private Map<RangeId, Long> stableNews() {
            var stable = new LinkedHashMap<RangeId, Long>();
            for (var range : List.copyOf(dueStable)) {
                dueStable.remove(range);
                long reached = stability.of(range);
                if (reached > toldStable.getOrDefault(range, 0L)) {
                    stable.put(range, reached);
                    toldStable.put(range, reached);
                }
            }
            return stable;
        }

        long lsn(RangeId range) {
            var position = positions.get(range);
            return position == null ? 0 : position.lsn();
        }

        boolean has(CatalogVersion version) {
            return catalog.equals(version);
        }
    }

    private static final News NOTHING = new News(Optional.empty(), List.of(), Map.of(), true, false);

    private static boolean isNew(RangeNews news, Position position) {
        return news.isParted()
                || news.shipment().completeLsn() > position.lsn()
                || news.epochs().last() != position.epoch();
    }

    private static long size(RangeNews news) {
        long bytes = 0;
        for (var bundle : news.shipment().bundles()) {
            for (var change : bundle.changes()) {
                bytes += 100 + change.item().map(item -> item.sizeBytes()).orElse(0);
            }
        }
        return bytes;
    }

    /** Answers a question when there is something to tell, or when it has waited long enough. */
    CompletionStage<Message> pull(String name, Pull pull) {
        var follower = byName.get(name);
        if (pull.isFirst()) {
            follower = new Follower(pull.session());
            byName.put(name, follower);
        } else if (follower == null || follower.session != pull.session()) {
            return CompletableFuture.completedStage(new Message.Unknown());
        }
        follower.hear(pull);
        stability.heard(name, pull.positions().keySet());
        pull.positions().forEach((range, position) -> replica.keepLog(name, range, position.epoch(), position.lsn()));
        return follower.nextNews(pull.waitMillis());
    }

    /** A range has changed here. */
    void changed(RangeId range) {
        byName.values().forEach(follower -> follower.markDue(range));
        answerAll();
    }

    /** More of a range is stable. */
    void settled(RangeId range) {
        byName.values().forEach(follower -> follower.markStable(range));
        answerAll();
    }

    void answerAll() {
        if (!byName.isEmpty() && answering.compareAndSet(false, true)) {
            inTurn(() -> {
                answering.set(false);
                byName.values().forEach(Follower::answer);
            });
        }
    }

    /** Does what may have to wait for a lock. */
    private void inTurn(Runnable work) {
        try {
            workers.execute(work);
        } catch (RejectedExecutionException _) {
            // The server stops; they will ask elsewhere.
        }
    }

    /** How far one has come with a range; 0 when it has not said. */
    long lsn(String name, RangeId range) {
        var follower = byName.get(name);
        return follower == null ? 0 : follower.lsn(range);
    }

    /** How many changes one lacks. */
    long lag(String name) {
        return replica.ranges().stream()
                .mapToLong(range -> replica.epochs(range).changes(lsn(name, range), replica.lsn(range)))
                .sum();
    }

    /** For how many seconds one has lacked a change. */
    double lagSeconds(String name) {
        return trail.secondsBehind(range -> lsn(name, range), replica::has);
    }

    /** Remembers where the ranges are now. */
    void note() {
        if (!byName.isEmpty()) {
            var lsns = new HashMap<RangeId, Long>();
            replica.ranges().forEach(range -> lsns.put(range, replica.lsn(range)));
            trail.note(lsns);
        }
    }

    /** Whether one lacks no more than so many changes of any range. */
    boolean isAbreast(String name, long slack) {
        return replica.ranges().stream().allMatch(range -> lsn(name, range) + slack >= replica.lsn(range));
    }

    /** Whether one has all that is here. */
    boolean isLevel(String name) {
        return hasCatalog(name, replica.catalogVersion()) && isAbreast(name, 0);
    }

    boolean hasCatalog(String name, CatalogVersion version) {
        var follower = byName.get(name);
        return follower != null && follower.has(version);
    }

    /** How long ago one has been heard of; as long as can be when never. */
    long silentNanos(String name) {
        var follower = byName.get(name);
        return follower == null ? Long.MAX_VALUE : nanos.getAsLong() - follower.heardNanos;
    }

    void forget() {
        byName.clear();
        trail.forget();
    }
}
