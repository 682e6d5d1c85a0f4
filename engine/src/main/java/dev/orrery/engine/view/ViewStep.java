package dev.orrery.engine.view;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.feed.LogWalk;
import dev.orrery.engine.item.Items;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.item.ViewItems;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.engine.key.ViewKeys;
import dev.orrery.engine.key.ViewProgress;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.sql.ViewQuery;
import dev.orrery.sql.run.ItemBounds;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a view up to date with some changes of one range of its source.
 *
 * <p>Source and view cannot change in one commit. So it is first noted beside the source where an item may come to lie in
 * the view, then the view changes, then it is noted that it has. Whatever of this is cut off is done again: the notes tell
 * all places that have to be cleared, and storing the same thing twice changes nothing.
 */
final class ViewStep {
    private static final Logger LOG = LoggerFactory.getLogger(ViewStep.class);
    private static final String ID = "id";

    private final Container view;
    private final Container source;
    private final Partition partition;
    private final ViewQuery query;
    private final TimeToLive timeToLive;
    private final long nowSecond;
    private final Router router;
    private final Items items;
    private final ViewItems viewItems;
    private final MemoryBudget memory;

    ViewStep(
            Container view,
            Router.Route source,
            ViewQuery query,
            long nowSecond,
            Router router,
            Items items,
            MemoryBudget memory) {
        this.memory = memory;
        this.view = view;
        this.source = source.container();
        this.partition = source.partition();
        this.query = query;
        this.timeToLive = TimeToLive.of(this.source.definition());
        this.nowSecond = nowSecond;
        this.router = router;
        this.items = items;
        this.viewItems = new ViewItems(items);
    }

    /** What an item has in the view, and where. */
    private record Target(ItemKey key, Obj row) {}

    /** What becomes of one item of the source; {@code places} are where it may lie now. */
    private record Move(ItemKey item, Optional<StoredItem> stored, List<ItemKey> places, Optional<Target> target) {
        boolean isNoted() {
            return target.isEmpty() || places.contains(target.get().key());
        }

        List<ItemKey> notedPlaces() {
            var noted = new ArrayList<>(places);
            if (!isNoted()) {
                noted.add(target.orElseThrow().key());
            }
            return noted;
        }

        Move to(Optional<Target> other) {
            return new Move(item, stored, notedPlaces(), other);
        }
    }

    /** False when there was nothing to do. */
    boolean run() {
        try (var snapshot = partition.snapshot()) {
            long progress = ViewProgress.reached(
                    snapshot.get(ViewKeys.progress(view.number())),
                    partition.epochs().last());
            var changed = new LinkedHashMap<ItemKey, Optional<byte[]>>();
            long reached = collect(snapshot, progress, changed);
            if (changed.isEmpty()) {
                return false;
            }
            long bytes = bytesFor(changed);
            memory.take(bytes);
            try {
                var moves = changed.entrySet().stream()
                        .map(item -> move(snapshot, item.getKey(), item.getValue()))
                        .toList();
                settle(carryOut(moves), reached);
            } finally {
                memory.giveBack(bytes);
            }
            return true;
        }
    }

    /** What it takes to read the items and to make the index entries of their rows; little is not counted. */
    private long bytesFor(Map<ItemKey, Optional<byte[]>> changed) {
        long stored = 0;
        for (var value : changed.values()) {
            stored += value.map(item -> item.length).orElse(0);
        }
        return stored <= Limits.MEMORY_QUERY_BYTES_FREE
                ? 0
                : Math.min(stored * Limits.MEMORY_PER_BODY_BYTE, memory.bytesOfOneMax());
    }

    /** Finds the items of the next commits, and tells the last LSN of these. */
    private static long collect(Snapshot snapshot, long progress, Map<ItemKey, Optional<byte[]>> changed) {
        long reached = progress;
        long bytes = 0;
        try (var walk =
                new LogWalk(snapshot, progress, PartitionState.of(snapshot).lsn())) {
            while (walk.next()) {
                boolean full = changed.size() >= Limits.VIEW_STEP_ITEMS || bytes >= Limits.VIEW_STEP_BYTES;
                if (full && walk.place().lsn() != reached) {
                    break;
                }
                reached = walk.place().lsn();
                var item = walk.entry().item();
                if (!changed.containsKey(item)) {
                    var value = Optional.ofNullable(snapshot.get(item.bytes()));
                    changed.put(item, value);
                    bytes += value.map(stored -> stored.length).orElse(0);
                }
            }
        }
        return reached;
    }

    private Move move(Snapshot snapshot, ItemKey item, Optional<byte[]> value) {
        var places = ViewKeys.decodePlaces(snapshot.get(ViewKeys.places(view.number(), item)));
        var stored = value.map(StoredItem::decode).filter(live -> !timeToLive.isOver(live, nowSecond));
        return new Move(item, stored, places, stored.flatMap(live -> target(live, item, places)));
    }

    private Optional<Target> target(StoredItem live, ItemKey item, List<ItemKey> places) {
        long[] taken = {0};
        var bounds = new ItemBounds(more -> {
            memory.take(more);
            taken[0] += more;
        });
        try {
            return query.row(live.text().asValue(), bounds).map(row -> {
                var plain = target(row, item.id());
                var apart = target(row, idApart(live, item));
                return places.contains(apart.key()) ? apart : plain;
            });
        } catch (FailureException refused) {
            if (!isLasting(refused.failure())) {
                throw refused;
            }
            warn(item, refused);
            return Optional.empty();
        } finally {
            memory.giveBack(taken[0]);
        }
    }

    private void warn(ItemKey item, FailureException refused) {
        LOG.warn(
                "Item '{}' of {} has no place in its view {}: {}",
                item.id(),
                source.ownerPath(),
                view.ownerPath(),
                refused.failure().message());
    }

    private Target target(Obj row, String id) {
        var body = Obj.builder().put(ID, id);
        row.members().forEach((name, value) -> {
            if (!name.equals(ID) && !SystemProperties.isSystemName(name)) {
                body.put(name, value);
            }
        });
        var object = body.build();
        var definition = view.definition().partitionKey();
        var key = definition.extract(object);
        return new Target(ItemKey.of(new LogicalPartition(EffectivePartitionKey.of(key, definition), key), id), object);
    }

    /** Tells an item apart from one of another partition of the source that has the same id. */
    private String idApart(StoredItem live, ItemKey item) {
        return item.id() + "~" + Rid.document(source.rid(), live.document());
    }

    // ---- noting, and changing the view ----

    /** What became of storing a row. */
    private enum Put {
        DONE,
        /** The place is another item's. */
        TAKEN,
        /** The view cannot have such an item. */
        REFUSED
    }

    /** Changes the view, and tells how the items lie in it now. */
    private List<Move> carryOut(List<Move> moves) {
        note(moves);
        var puts = moves.stream().map(this::put).toList();
        awaitAll(puts);
        var lying = new ArrayList<Move>();
        var apart = new ArrayList<Move>();
        for (int i = 0; i < moves.size(); i++) {
            var move = moves.get(i);
            switch (puts.get(i).join()) {
                case DONE -> lying.add(move);
                case TAKEN -> apart.add(move.to(apart(move)));
                case REFUSED -> lying.add(move.to(Optional.empty()));
            }
        }
        clear(lying);
        if (!apart.isEmpty()) {
            lying.addAll(carryOut(apart));
        }
        return lying;
    }

    private CompletableFuture<Put> put(Move move) {
        if (move.target().isEmpty()) {
            return CompletableFuture.completedFuture(Put.DONE);
        }
        var target = move.target().get();
        return inView(target.key(), (unit, now) -> viewItems.put(unit, now, target.key(), move.item(), target.row()))
                .thenApply(stored -> stored ? Put.DONE : Put.TAKEN)
                .exceptionally(problem -> {
                    if (problem.getCause() instanceof FailureException refused && isLasting(refused.failure())) {
                        warn(move.item(), refused);
                        return Put.REFUSED;
                    }
                    throw new CompletionException(problem.getCause());
                });
    }

    /** Whether the next attempt would be refused as well. */
    private static boolean isLasting(Failure failure) {
        return failure instanceof Failure.BadRequest
                || failure instanceof Failure.TooLarge
                || failure instanceof Failure.Conflict
                || failure instanceof Failure.PartitionFull;
    }

    /** Empty if it is apart already: then another item has just this id. */
    private Optional<Target> apart(Move move) {
        var target = move.target().orElseThrow();
        var id = idApart(move.stored().orElseThrow(), move.item());
        return target.key().id().equals(id) ? Optional.empty() : Optional.of(target(target.row(), id));
    }

    /** Before anything comes to lie in the view, the source knows where. */
    private void note(List<Move> moves) {
        var unnoted = moves.stream().filter(move -> !move.isNoted()).toList();
        if (!unnoted.isEmpty()) {
            inSource(unit -> unnoted.forEach(move ->
                    unit.put(ViewKeys.places(view.number(), move.item()), ViewKeys.encodePlaces(move.notedPlaces()))));
        }
    }

    /** Removes what an item has in places where it is no longer. */
    private void clear(List<Move> moves) {
        var removals = new ArrayList<CompletableFuture<?>>();
        for (var move : moves) {
            for (var place : move.places()) {
                if (move.target().filter(target -> target.key().equals(place)).isEmpty()) {
                    removals.add(inView(place, (unit, now) -> {
                        viewItems.remove(unit, now, place, move.item());
                        return true;
                    }));
                }
            }
        }
        awaitAll(removals);
    }

    private void settle(List<Move> moves, long reached) {
        inSource(unit -> {
            for (var move : moves) {
                var key = ViewKeys.places(view.number(), move.item());
                move.target()
                        .ifPresentOrElse(
                                target -> unit.put(key, ViewKeys.encodePlaces(List.of(target.key()))),
                                () -> unit.delete(key));
            }
            unit.put(
                    ViewKeys.progress(view.number()),
                    new ViewProgress(reached, partition.epochs().last()).encode());
        });
    }

    /** Also when one of them fails, none is still under way afterwards: what came late would undo what was done since. */
    private static void awaitAll(List<? extends CompletableFuture<?>> begun) {
        CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new)).join();
    }

    private interface ViewWork {
        boolean run(Unit unit, Container view);
    }

    private CompletableFuture<Boolean> inView(ItemKey key, ViewWork work) {
        return router.route(items.current(view), key.epk())
                .partition()
                .submit(unit -> work.run(unit, items.current(view)))
                .thenApply(done -> done.result());
    }

    private void inSource(Consumer<Unit> work) {
        partition
                .submitNote(unit -> {
                    work.accept(unit);
                    return null;
                })
                .join();
    }
}
