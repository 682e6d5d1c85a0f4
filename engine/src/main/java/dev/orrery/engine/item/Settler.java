package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.Ruling.Kind;
import dev.orrery.engine.item.Ruling.Verdict;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.Origin;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.ConflictResolutionPolicy;
import dev.orrery.model.json.ItemText;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.SystemProperties;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Settles what the regions of an account have written, each write once and those of a region in their order; runs in the
 * lane of the settled copy at the hub. A write that was made on the version that is here is accepted as it is. Of two that
 * were made on the same version one has to give way: the referee.
 */
public final class Settler {
    private final ItemWriter writer;
    private final KeptWrites kept;

    Settler(ItemWriter writer, Catalog catalog) {
        this.writer = writer;
        this.kept = new KeptWrites(catalog);
    }

    /**
     * Settles a write, unless no rule does: then nothing happens before {@link #pass}.
     *
     * @param slot of the region that it comes from
     */
    public Ruling settle(Unit unit, Container container, int slot, Tentative write) {
        if (isSettled(unit, slot, write)) {
            return Ruling.of(Verdict.KNOWN);
        }
        var current = current(unit, container, write);
        unit.originate(new Origin(slot, write.place()));
        var ruling = write.base().equals(current.map(StoredItem::etag))
                ? accept(unit, container, write, current)
                : referee(unit, container, write, current);
        if (ruling.verdict() != Verdict.OPEN) {
            pass(unit, slot, write);
        }
        return ruling;
    }

    static boolean isSettled(Unit unit, int slot, Tentative write) {
        return Frontier.covers(Frontier.decode(unit.get(Frontier.key(slot))), write.place());
    }

    /** Notes that a write has been dealt with. */
    static void pass(Unit unit, int slot, Tentative write) {
        unit.put(Frontier.key(slot), Frontier.encode(write.place()));
    }

    /** What a write that no rule settles is in conflict with. */
    static Conflict conflict(Unit unit, Container container, Tentative write) {
        var current = current(unit, container, write);
        boolean isNew = write.base().isEmpty();
        var others = new ArrayList<StoredItem>();
        if (isNew) {
            current.ifPresent(others::add);
        }
        write.item().ifPresent(item -> others.addAll(ItemRows.rivals(unit, container, write.key(), item)));
        return new Conflict(
                write.item(),
                isNew ? Optional.empty() : current,
                write.item().isPresent() && !isNew && current.isEmpty(),
                others);
    }

    /** What had expired when the write was made had expired for its writer: clocks differ. */
    private static Optional<StoredItem> current(Unit unit, Container container, Tentative write) {
        var current = Optional.ofNullable(ItemRows.find(unit, container, write.key()));
        var ended = current.filter(item -> TimeToLive.of(container.definition()).isOver(item, write.second()));
        ended.ifPresent(item -> ItemRows.remove(unit, container, write.key(), item, Change.EXPIRE));
        return ended.isPresent() ? Optional.empty() : current;
    }

    private static Ruling accept(Unit unit, Container container, Tentative write, Optional<StoredItem> current) {
        if (write.item().isEmpty()) {
            current.ifPresent(item -> ItemRows.remove(unit, container, write.key(), item, Change.DELETE));
            return Ruling.of(Verdict.ACCEPTED);
        }
        return put(unit, container, write.key(), current, write.item().get())
                ? Ruling.of(Verdict.ACCEPTED)
                : Kind.UNIQUE_KEY.ruled(Verdict.OPEN);
    }

    /** False where another item has the same values in a unique key. */
    private static boolean put(
            Unit unit, Container container, ItemKey key, Optional<StoredItem> current, StoredItem item) {
        if (!ItemRows.rivals(unit, container, key, item).isEmpty()) {
            return false;
        }
        long expiry = ItemWriter.expiry(unit, container, item.second(), item.ttlSeconds(), item.text());
        var stored = item.storedBy(unit.lsn(), unit.nextSequence(), expiry);
        ItemRows.put(unit, container, key, current.orElse(null), stored);
        return true;
    }

    private Ruling referee(Unit unit, Container container, Tentative write, Optional<StoredItem> current) {
        var policy = container.definition().conflictResolutionPolicy();
        boolean hasRule = policy.mode() == ConflictResolutionPolicy.Mode.LAST_WRITER_WINS;
        if (current.isEmpty()) {
            return write.item().isEmpty()
                    ? Kind.DELETE.ruled(Verdict.WON)
                    : ofItemThatIsNotThere(unit, container, write, hasRule);
        }
        if (write.item().isEmpty()) {
            // A delete wins, but a procedure wants to be asked, and people want to see what is gone.
            if (!hasRule) {
                return Kind.DELETE.ruled(Verdict.OPEN);
            }
            ItemRows.remove(unit, container, write.key(), current.get(), Change.DELETE);
            return Kind.DELETE.ruled(Verdict.WON);
        }
        if (write.patch().isPresent()) {
            return Kind.PATCH.ruled(patchAgain(unit, container, write, current.get()));
        }
        var kind = write.base().isEmpty() ? Kind.CREATE : Kind.REPLACE;
        if (!hasRule) {
            return kind.ruled(Verdict.OPEN);
        }
        if (!isLater(path(container), write.item().get(), current.get())) {
            return kind.ruled(Verdict.LOST);
        }
        return put(unit, container, write.key(), current, write.item().get())
                ? kind.ruled(Verdict.WON)
                : Kind.UNIQUE_KEY.ruled(Verdict.OPEN);
    }

    /** A version of an item that is gone loses to the delete, unless there was none. */
    private Ruling ofItemThatIsNotThere(Unit unit, Container container, Tentative write, boolean hasRule) {
        var item = write.item().orElseThrow();
        var expired = ItemRows.expired(unit, write.key());
        var isNextVersion = expired.map(StoredItem::etag).equals(write.base());
        if (isNextVersion) {
            // It was renewed in time; only that was not known here when the time was over.
            return put(unit, container, write.key(), Optional.empty(), item)
                    ? Ruling.of(Verdict.ACCEPTED)
                    : Kind.UNIQUE_KEY.ruled(Verdict.OPEN);
        }
        boolean beatsExpired = hasRule && expired.isPresent() && isLater(path(container), item, expired.get());
        if (beatsExpired || kept.hasBaseOf(container, write)) {
            var kind = beatsExpired ? Kind.REPLACE : Kind.UNIQUE_KEY;
            return put(unit, container, write.key(), Optional.empty(), item)
                    ? kind.ruled(Verdict.WON)
                    : Kind.UNIQUE_KEY.ruled(Verdict.OPEN);
        }
        return Kind.DELETE.ruled(hasRule ? Verdict.LOST : Verdict.OPEN);
    }

    /**
     * Has a delete win over a version that people are shown; false when that is not the one that is here any more.
     *
     * @param slot of the region that deleted
     */
    public boolean remove(Unit unit, Container container, int slot, Tentative write, String etag) {
        if (isSettled(unit, slot, write)) {
            return false;
        }
        var current = current(unit, container, write).filter(item -> item.etag().equals(etag));
        if (current.isEmpty()) {
            return false;
        }
        unit.originate(new Origin(slot, write.place()));
        ItemRows.remove(unit, container, write.key(), current.get(), Change.DELETE);
        pass(unit, slot, write);
        return true;
    }

    /** Whether what cannot be done now cannot be done later either. */
    public static boolean isFinal(Throwable problem) {
        return problem instanceof FailureException refusal
                && !(refusal.failure() instanceof Failure.Throttled
                        || refusal.failure() instanceof Failure.Unavailable
                        || refusal.failure() instanceof Failure.WriteForbidden);
    }

    /** The greater number at the path wins, then the later second, then the region and its count, which the etag holds. */
    private static boolean isLater(JsonPath path, StoredItem incoming, StoredItem current) {
        var one = number(path, incoming);
        var other = number(path, current);
        if (one.isPresent() != other.isPresent()) {
            return one.isPresent();
        }
        if (one.isPresent() && one.getAsDouble() != other.getAsDouble()) {
            return one.getAsDouble() > other.getAsDouble();
        }
        return incoming.second() != current.second()
                ? incoming.second() > current.second()
                : StoredItem.lsnOf(incoming.etag()) > StoredItem.lsnOf(current.etag());
    }

    private static JsonPath path(Container container) {
        return JsonPath.parse(container.definition().conflictResolutionPolicy().path());
    }

    private static OptionalDouble number(JsonPath path, StoredItem item) {
        return path.in(item.text().asValue()) instanceof Num(double number, var _)
                ? OptionalDouble.of(number)
                : OptionalDouble.empty();
    }

    /** Operations that go together are all kept; others, and one whose condition does not hold here, no rule settles. */
    private Verdict patchAgain(Unit unit, Container container, Tentative write, StoredItem current) {
        ItemBody body;
        try {
            var patch = JsonPatch.parse(JsonReader.parse(write.patch().orElseThrow()));
            body = writer.patched(unit, container, patch, current);
        } catch (FailureException impossible) {
            if (!isFinal(impossible)) {
                throw impossible;
            }
            return Verdict.OPEN;
        }
        long document = current.document();
        int sequence = unit.nextSequence();
        var rid = Rid.document(container.rid(), document).toString();
        var system = new SystemProperties(
                rid,
                container.resource().self() + "docs/" + rid + "/",
                StoredItem.etag(unit.lsn(), sequence, unit.nowSecond()),
                unit.nowSecond());
        var text = ItemText.assemble(body.scan(), system);
        long expiry = ItemWriter.expiry(unit, container, unit.nowSecond(), body.ttlSeconds(), text);
        var item = new StoredItem(
                unit.lsn(),
                sequence,
                unit.nowSecond(),
                document,
                body.ttlSeconds(),
                expiry,
                write.item().orElseThrow().indexed(),
                text);
        if (!ItemRows.rivals(unit, container, write.key(), item).isEmpty()) {
            return Verdict.OPEN;
        }
        ItemRows.put(unit, container, write.key(), current, item);
        return Verdict.PATCHED;
    }
}
