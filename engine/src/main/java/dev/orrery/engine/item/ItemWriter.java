package dev.orrery.engine.item;

import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.index.ItemIndex;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.engine.observe.Observer;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.IndexingMode;
import dev.orrery.model.json.ItemText;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.json.SystemProperties;
import dev.orrery.sql.Query;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.run.ItemBounds;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What each kind of write does to the last state of an item; runs inside a lane. */
final class ItemWriter {
    /** The version now stored; null after a delete. */
    record Written(Outcome.Change change, StoredItem item, Bill bill) {}

    private final RandomGenerator random;
    private final Prices prices;
    private final Observer observer;

    ItemWriter(RandomGenerator random, Prices prices, Observer observer) {
        this.random = random;
        this.prices = prices;
        this.observer = observer;
    }

    Written write(Unit unit, Container container, PreparedWrite write) {
        var key = write.key();
        var current = ItemRows.find(unit, container, key);
        return switch (write.write()) {
            case ItemWrite.Create _ -> {
                demandAbsent(key, current);
                yield store(unit, container, write, null, write.body(), new Work());
            }
            case ItemWrite.Upsert upsert -> {
                if (current != null) {
                    demand(upsert.precondition(), current);
                }
                yield store(unit, container, write, current, write.body(), new Work());
            }
            case ItemWrite.Replace replace -> {
                demand(replace.precondition(), demandPresent(key, current));
                yield write.target().equals(key)
                        ? store(unit, container, write, current, write.body(), new Work())
                        : renamed(unit, container, write, current);
            }
            case ItemWrite.Patch patch -> {
                demand(patch.precondition(), demandPresent(key, current));
                var written = store(
                        unit,
                        container,
                        write,
                        current,
                        patched(unit, container, patch.patch(), current),
                        new Work().add(Effort.PATCH_STEPS, patch.patch().size()));
                if (unit.isTentative()) {
                    TentativeRows.notePatch(unit, written.item().sequence(), patch.patch());
                }
                yield written;
            }
            case ItemWrite.Delete delete -> {
                demand(delete.precondition(), demandPresent(key, current));
                yield new Written(null, null, removed(unit, container, key, current));
            }
        };
    }

    /** An item with another id: to whoever reads the changes, the old one has gone and a new one has come. */
    private Written renamed(Unit unit, Container container, PreparedWrite write, StoredItem current) {
        var target = write.target();
        demandAbsent(target, ItemRows.find(unit, container, target));
        var terms = ItemRows.remove(unit, container, write.key(), current, Change.DELETE);
        var work = count(new Work(), current, null, terms);
        var written = store(unit, container, write.at(target), null, write.body(), work);
        return new Written(Outcome.Change.REPLACED, written.item(), written.bill());
    }

    private static void demandAbsent(ItemKey key, StoredItem current) {
        if (current != null) {
            throw new FailureException(
                    new Failure.Conflict("Resource with specified id or name already exists. There is an item with id '"
                            + key.id() + "' in this partition of the container."));
        }
    }

    /** Deletes an item, and tells what that costs. */
    Bill removed(Unit unit, Container container, ItemKey key, StoredItem current) {
        var terms = ItemRows.remove(unit, container, key, current, Change.DELETE);
        var bill = prices.bill(count(new Work(), current, null, terms));
        observer.wrote(container, key, current, null, bill);
        return bill;
    }

    /** Adds what turned one version of an item into another; null stands for no version. */
    private static Work count(Work work, StoredItem old, StoredItem item, ItemRows.Terms terms) {
        if (old == null) {
            work.add(Effort.ITEM_CREATED, 1, item.sizeBytes());
        } else if (item == null) {
            work.add(Effort.ITEM_DELETED, 1, old.sizeBytes());
        } else {
            work.add(Effort.VERSIONS_REPLACED, 1, old.sizeBytes()).add(Effort.VERSIONS_REPLACED, 1, item.sizeBytes());
        }
        return work.add(Effort.TERMS_WRITTEN, terms.written(), terms.writtenBytes())
                .add(Effort.TERMS_REMOVED, terms.removed(), terms.removedBytes());
    }

    /** The item to read, with its condition for not being sent again. */
    static StoredItem demandPresent(ItemKey key, StoredItem current) {
        if (current == null) {
            throw new FailureException(new Failure.NotFound(
                    "Resource Not Found. There is no item with id '" + key.id() + "' in this partition."));
        }
        return current;
    }

    static boolean matches(String etag, StoredItem item) {
        return etag.equals("*") || unquoted(etag).equals(unquoted(item.etag()));
    }

    private static String unquoted(String etag) {
        return etag.length() > 1 && etag.startsWith("\"") && etag.endsWith("\"")
                ? etag.substring(1, etag.length() - 1)
                : etag;
    }

    private static void demand(Precondition precondition, StoredItem current) {
        boolean stale = precondition.ifMatch().isPresent()
                && !matches(precondition.ifMatch().get(), current);
        boolean known = precondition.ifNoneMatch().isPresent()
                && matches(precondition.ifNoneMatch().get(), current);
        if (stale || known) {
            throw new FailureException(new Failure.PreconditionFailed(
                    "One of the specified pre-condition is not met. The item has been changed since: its etag is not"
                            + " the one that the request asks for."));
        }
    }

    /** An item after a patch; refuses one whose condition does not hold for it, or that cannot be done. */
    ItemBody patched(Unit unit, Container container, JsonPatch patch, StoredItem current) {
        unit.makeRoomFor(current.sizeBytes());
        var json = current.text().asValue();
        var traits = ContainerTraits.of(container.definition());
        if (patch.condition().isPresent()
                && !Query.ofCondition(patch.condition().get(), traits).holds(conditionInputs(unit), json)) {
            throw new FailureException(
                    new Failure.PreconditionFailed("One of the specified pre-condition is not met. The condition of the"
                            + " patch does not hold for this item."));
        }
        return ItemBody.read(JsonWriter.bytes(
                patch.apply(json, container.definition().partitionKey().paths())));
    }

    private QueryInputs conditionInputs(Unit unit) {
        return QueryInputs.of(Map.of(), Instant.ofEpochSecond(unit.nowSecond()), random)
                .withCheckpoint(new ItemBounds(unit::takeMemory));
    }

    private Written store(
            Unit unit, Container container, PreparedWrite write, StoredItem old, ItemBody body, Work work) {
        var key = write.key();
        long document = old == null
                ? unit.nextDocument(
                        DocumentKey.cluster(key.epk(), container.definition().partitionKey()))
                : old.document();
        int sequence = unit.nextSequence();
        var rid = Rid.document(container.rid(), document).toString();
        var system = new SystemProperties(
                rid,
                container.resource().self() + "docs/" + rid + "/",
                StoredItem.etag(unit.lsn(), sequence, unit.nowSecond()),
                unit.nowSecond());
        var text = ItemText.assemble(body.scan(), system);
        long expiry = expiry(unit, container, unit.nowSecond(), body.ttlSeconds(), text);
        var item = new StoredItem(
                unit.lsn(),
                sequence,
                unit.nowSecond(),
                document,
                body.ttlSeconds(),
                expiry,
                isIndexed(container, write),
                text);
        ItemIndex.of(container.definition()).demandComputable(item, unit::takeMemory);
        var terms = ItemRows.put(unit, container, key, old, item);
        var bill = prices.bill(count(work, old, item, terms));
        observer.wrote(container, key, old, item, bill);
        return new Written(old == null ? Outcome.Change.CREATED : Outcome.Change.REPLACED, item, bill);
    }

    static long expiry(Unit unit, Container container, long second, int ttlSeconds, ItemText text) {
        long end = TimeToLive.of(container.definition()).end(second, ttlSeconds, text);
        // What ends in the past is due now: the sweeper never goes back.
        return end == 0 ? 0 : Math.max(end, unit.nowSecond());
    }

    /**
     * Stores a version that a draft has made, or removes the item for null.
     *
     * @param patch what it was made by, if that was a patch
     */
    static void redo(Unit unit, Container container, ItemKey key, StoredItem drafted, Optional<JsonPatch> patch) {
        var current = ItemRows.find(unit, container, key);
        if (drafted != null) {
            long expiry = expiry(unit, container, drafted.second(), drafted.ttlSeconds(), drafted.text());
            var item = drafted.storedBy(unit.lsn(), unit.nextSequence(), expiry);
            ItemRows.put(unit, container, key, current, item);
            if (unit.isTentative()) {
                patch.ifPresent(by -> TentativeRows.notePatch(unit, item.sequence(), by));
            }
        } else if (current != null) {
            ItemRows.remove(unit, container, key, current, Change.DELETE);
        }
    }

    private static boolean isIndexed(Container container, PreparedWrite write) {
        return switch (write.indexing()) {
            case INCLUDE -> true;
            case EXCLUDE -> false;
            case DEFAULT -> {
                var policy = container.definition().indexingPolicy();
                // Where nothing is indexed nothing is automatic either, and what is written meanwhile belongs into an
                // index that the container gets later.
                yield policy.automatic() || policy.mode() == IndexingMode.NONE;
            }
        };
    }

    /** A write that knows where it goes: everything that can be done before it waits in a lane. */
    record PreparedWrite(
            ItemWrite write, LogicalPartition partition, ItemKey key, ItemBody body, IndexingDirective indexing) {
        PreparedWrite with(IndexingDirective directive) {
            return new PreparedWrite(write, partition, key, body, directive);
        }

        PreparedWrite at(ItemKey place) {
            return new PreparedWrite(write, partition, place, body, indexing);
        }

        /** Where the item will be: a replacement may have another id than what it replaces. */
        ItemKey target() {
            return body == null ? key : ItemKey.of(partition, body.id());
        }
    }
}
