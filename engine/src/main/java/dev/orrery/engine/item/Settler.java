package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.Origin;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.ConflictResolutionPolicy;
import dev.orrery.model.json.ItemText;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.json.SystemProperties;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Settles what the regions of an account have written, each write once and those of a region in their order; runs in the
 * lane of the settled copy at the hub. A write that was made on the version that is here is accepted as it is. Of two that
 * were made on the same version one has to give way: the referee.
 */
public final class Settler {
    /** What has become of a write. */
    public enum Verdict {
        /** It was settled before. */
        KNOWN,
        /** It was made on the version that was here. */
        ACCEPTED,
        /** It was a patch, and was done again on the version that was here. */
        PATCHED,
        /** It has won a conflict. */
        WON,
        /** It has lost a conflict, by a rule that names the loser. */
        LOST,
        /** It cannot be settled: it is to be kept for people, and the version that is here stays. */
        KEPT
    }

    private Settler() {}

    /**
     * Settles a write, unless it has to be kept: then nothing happens before {@link #pass}.
     *
     * @param slot of the region that it comes from
     */
    public static Verdict settle(Unit unit, Container container, int slot, Tentative write) {
        if (Frontier.covers(Frontier.decode(unit.get(Frontier.key(slot))), write.place())) {
            return Verdict.KNOWN;
        }
        var current = current(unit, container, write);
        unit.originate(new Origin(slot, write.place()));
        var verdict = write.base().equals(current.map(StoredItem::etag))
                ? accept(unit, container, write, current)
                : referee(unit, container, write, current);
        if (verdict != Verdict.KEPT) {
            pass(unit, slot, write);
        }
        return verdict;
    }

    /** Notes that a write has been dealt with. */
    public static void pass(Unit unit, int slot, Tentative write) {
        unit.put(Frontier.key(slot), Frontier.encode(write.place()));
    }

    /** What had expired when the write was made had expired for its writer: clocks differ. */
    private static Optional<StoredItem> current(Unit unit, Container container, Tentative write) {
        var current = Optional.ofNullable(ItemRows.find(unit, container, write.key()));
        var ended = current.filter(item -> TimeToLive.of(container.definition()).isOver(item, write.second()));
        ended.ifPresent(item -> ItemRows.remove(unit, container, write.key(), item, Change.EXPIRE));
        return ended.isPresent() ? Optional.empty() : current;
    }

    private static Verdict accept(Unit unit, Container container, Tentative write, Optional<StoredItem> current) {
        if (write.item().isEmpty()) {
            current.ifPresent(item -> ItemRows.remove(unit, container, write.key(), item, Change.DELETE));
            return Verdict.ACCEPTED;
        }
        return put(unit, container, write.key(), current, write.item().get()) ? Verdict.ACCEPTED : Verdict.KEPT;
    }

    /** False where another item has the same values in a unique key. */
    private static boolean put(
            Unit unit, Container container, ItemKey key, Optional<StoredItem> current, StoredItem item) {
        if (ItemRows.isTaken(unit, container, key, item)) {
            return false;
        }
        long expiry = ItemWriter.expiry(unit, container, item.second(), item.ttlSeconds(), item.text());
        var stored = item.storedBy(unit.lsn(), unit.nextSequence(), expiry);
        ItemRows.put(unit, container, key, current.orElse(null), stored);
        return true;
    }

    private static Verdict referee(Unit unit, Container container, Tentative write, Optional<StoredItem> current) {
        var policy = container.definition().conflictResolutionPolicy();
        boolean hasRule = policy.mode() == ConflictResolutionPolicy.Mode.LAST_WRITER_WINS;
        if (write.item().isEmpty()) { // A delete wins.
            current.ifPresent(item -> ItemRows.remove(unit, container, write.key(), item, Change.DELETE));
            return Verdict.WON;
        }
        if (current.isEmpty()) {
            return hasRule ? Verdict.LOST : Verdict.KEPT;
        }
        if (write.patch().isPresent()) {
            return patchAgain(unit, container, write, current.get());
        }
        if (!hasRule) {
            return Verdict.KEPT;
        }
        if (!isLater(JsonPath.parse(policy.path()), write.item().get(), current.get())) {
            return Verdict.LOST;
        }
        return put(unit, container, write.key(), current, write.item().get()) ? Verdict.WON : Verdict.KEPT;
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

    private static OptionalDouble number(JsonPath path, StoredItem item) {
        return path.in(item.text().asValue()) instanceof Num(double number, var _)
                ? OptionalDouble.of(number)
                : OptionalDouble.empty();
    }

    /** Operations that go together are all kept; those that do not are for people. */
    private static Verdict patchAgain(Unit unit, Container container, Tentative write, StoredItem current) {
        ItemBody body;
        try {
            var patch = JsonPatch.parse(JsonReader.parse(write.patch().orElseThrow()));
            body = ItemBody.read(JsonWriter.bytes(patch.apply(
                    current.text().asValue(),
                    container.definition().partitionKey().paths())));
        } catch (FailureException impossible) {
            return Verdict.KEPT;
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
        if (ItemRows.isTaken(unit, container, write.key(), item)) {
            return Verdict.KEPT;
        }
        ItemRows.put(unit, container, write.key(), current, item);
        return Verdict.PATCHED;
    }
}
