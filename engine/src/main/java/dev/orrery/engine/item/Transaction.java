package dev.orrery.engine.item;

import dev.orrery.engine.budget.Budget;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.item.Ruling.Verdict;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.Origin;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.Draft;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonPatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads and writes of one logical partition that take effect together, or not at all. They are made on a snapshot,
 * outside the lane, by the rules of single writes; the lane carries them out if nothing in the logical partition has
 * changed since the snapshot. For one thread.
 */
public final class Transaction implements AutoCloseable {
    private final Items items;
    private final Route route;
    private final LogicalPartition partition;
    private final Draft draft;
    private final List<Step> steps = new ArrayList<>();
    private long bytesWritten;

    /** What one write made of an item: a version, or null when it is gone. And by which operations, if it was a patch. */
    private record Step(ItemKey key, StoredItem version, Optional<JsonPatch> patch) {}

    /** The logical partition has changed since the snapshot: everything has to be done again. */
    public static final class Outdated extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Outdated() {
            super("the partition has changed", null, false, false);
        }
    }

    Transaction(Items items, Route route, LogicalPartition partition) {
        this.items = items;
        this.route = route;
        this.partition = partition;
        this.draft = route.partition().draft();
    }

    public Container container() {
        return route.container();
    }

    public LogicalPartition partition() {
        return partition;
    }

    /** Its range as the snapshot shows it: without what the transaction itself has written. */
    public Route snapshot() {
        return new Route(route.container(), route.range(), route.partition(), Budget.FREE, draft::view);
    }

    public Facts facts() {
        return route.facts();
    }

    /** How much it has to store so far. */
    public long bytesWritten() {
        return bytesWritten;
    }

    /** The id of the item that a rid names, if it is in this partition. */
    public Optional<String> findId(Rid document) {
        if (!document.isDocumentOf(route.container().rid())) {
            return Optional.empty();
        }
        return Optional.ofNullable(draft.unit().get(DocumentKey.encode(document.documentNumber())))
                .map(ItemKey::decode)
                .filter(key -> key.partition().equals(partition))
                .map(ItemKey::id);
    }

    public BatchResult read(String id, Precondition precondition, Caller caller) {
        var key = ItemKey.of(partition, id);
        var item = ItemWriter.demandPresent(key, ItemRows.find(draft.unit(), route.container(), key));
        boolean known = precondition
                .ifNoneMatch()
                .filter(etag -> ItemWriter.matches(etag, item))
                .isPresent();
        return new BatchResult(
                known ? new Answer.NotModified() : new Answer.Resource(Outcome.Change.READ, item.json()),
                items.prices().read(known ? 0 : item.sizeBytes(), caller),
                Optional.of(item.etag()));
    }

    /** Makes a write; it is refused now if it has to be, and whatever was written before stays. */
    public BatchResult write(ItemWrite write, IndexingDirective indexing) {
        var prepared = items.prepare(route.container(), BY_NAME, Optional.of(partition.key()), write)
                .with(indexing);
        var written = items.writer().write(draft.unit(), route.container(), prepared);
        if (!prepared.target().equals(prepared.key())) {
            steps.add(new Step(prepared.key(), null, Optional.empty()));
        }
        var patch = write instanceof ItemWrite.Patch by ? Optional.of(by.patch()) : Optional.<JsonPatch>empty();
        steps.add(new Step(prepared.target(), written.item(), patch));
        if (written.item() == null) {
            return new BatchResult(new Answer.Deleted(), written.bill(), Optional.empty());
        }
        draft.keepMemory(written.item().sizeBytes());
        bytesWritten += written.item().sizeBytes();
        return new BatchResult(
                new Answer.Resource(written.change(), written.item().json()),
                written.bill(),
                Optional.of(written.item().etag()));
    }

    /** The address of a container in names, whatever they are: ids are meant to be taken as ids, not as rids. */
    private static final Address BY_NAME =
            Address.ACCOUNT.child(ResourceKind.DATABASE, "").child(ResourceKind.CONTAINER, "");

    /**
     * Makes everything durable, or fails with {@link Outdated} or {@link dev.orrery.engine.partition.RangeMoved}. Reads
     * alone need no lane: a snapshot is of one moment.
     *
     * @param etag of the item that the answer is about, if it is about one
     * @return facts about the partition after it
     */
    public CompletionStage<Facts> commit(Optional<String> etag) {
        if (steps.isEmpty()) {
            return CompletableFuture.completedStage(route.facts());
        }
        var giveBack = draft.handMemoryOver();
        return route.partition()
                .submit(unit -> {
                    redo(unit);
                    return null;
                })
                .whenComplete((_, _) -> giveBack.run())
                .thenApply(done -> route.factsOfWrite(done.lsn(), etag, etag.map(_ -> done.lsn())));
    }

    private void redo(Unit unit) {
        if (unit.isChangedSince(draft.lsn(), partition.itemPrefix())) {
            throw new Outdated();
        }
        // No request has brought them, so nobody has counted what their index entries take.
        unit.makeRoomFor(bytesWritten);
        var container = items.current(route.container());
        steps.forEach(step -> ItemWriter.redo(unit, container, step.key(), step.version(), step.patch()));
    }

    // ---- conflicts between regions that write ----

    /**
     * What a write of a region is in conflict with; nothing where a rule settles it by now.
     *
     * @param slot of the region
     */
    public Optional<Conflict> conflict(int slot, Tentative write) {
        return items.settler()
                                .settle(draft.unit(), route.container(), slot, write)
                                .verdict()
                        == Verdict.OPEN
                ? Optional.of(Settler.conflict(draft.unit(), route.container(), write))
                : Optional.empty();
    }

    /** Like {@link #commit}, and settles a write of a region in the same commit. */
    public CompletionStage<Void> settle(int slot, Tentative write) {
        var giveBack = draft.handMemoryOver();
        return route.partition()
                .submit(unit -> {
                    if (Settler.isSettled(unit, slot, write)) {
                        throw new Outdated();
                    }
                    unit.originate(new Origin(slot, write.place()));
                    redo(unit);
                    Settler.pass(unit, slot, write);
                    return null;
                })
                .whenComplete((_, _) -> giveBack.run())
                .thenApply(done -> null);
    }

    @Override
    public void close() {
        draft.close();
    }
}
