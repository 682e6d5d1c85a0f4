package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.index.ItemIndex;
import dev.orrery.engine.index.ItemIndex.Row;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.Expired;
import dev.orrery.engine.key.ExpiryKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.engine.key.UniqueClaim;
import dev.orrery.engine.key.VersionKey;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonValue.Obj;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that is stored of an item changes here and nowhere else, so that the item, its document number, its expiry,
 * its unique keys, its index entries and its log entry always change together.
 */
final class ItemRows {
    private static final byte[] NOTHING = {};

    private ItemRows() {}

    /** The item under a key, or null: also when its time to live has ended, in which case its rows are cleared away. */
    static StoredItem find(Unit unit, Container container, ItemKey key) {
        var value = unit.get(key.bytes());
        if (value == null) {
            return null;
        }
        var item = StoredItem.decode(value);
        if (TimeToLive.of(container.definition()).isOver(item, unit.nowSecond())) {
            remove(unit, container, key, item, Change.EXPIRE);
            return null;
        }
        return item;
    }

    /** Stores a version of an item; {@code old} is the version before it, null for a new item. */
    static Terms put(Unit unit, Container container, ItemKey key, StoredItem old, StoredItem item) {
        claim(unit, container, key, old, item);
        store(unit, key, old, item);
        log(unit, old == null ? Change.CREATE : Change.REPLACE, key, item.document(), old, item.sequence());
        if (unit.isTentative()) {
            TentativeRows.note(unit, key, item.sequence(), Optional.ofNullable(old), Optional.of(item));
        }
        return index(unit, container, key, old, item);
    }

    private static void store(Unit unit, ItemKey key, StoredItem old, StoredItem item) {
        unit.put(key.bytes(), item.encode());
        unit.count(key.partition(), old == null ? 1 : 0, item.sizeBytes() - (old == null ? 0 : old.sizeBytes()));
        if (old != null && old.document() != item.document()) {
            unit.delete(DocumentKey.encode(old.document()));
        }
        if (old == null || old.document() != item.document()) {
            unit.put(DocumentKey.encode(item.document()), key.bytes());
        }
        if (old == null && unit.isOfSettledCopy() && unit.get(Expired.rowKey(key)) != null) {
            unit.delete(Expired.rowKey(key));
        }
        if (old != null && old.expirySecond() != 0 && old.expirySecond() != item.expirySecond()) {
            unit.delete(new ExpiryKey(old.expirySecond(), key).encode());
        }
        if (item.expirySecond() != 0) {
            unit.put(new ExpiryKey(item.expirySecond(), key).encode(), NOTHING);
        }
    }

    static Terms remove(Unit unit, Container container, ItemKey key, StoredItem old, Change change) {
        clear(unit, key, old);
        claims(container, key, old).forEach(unit::delete);
        if (change == Change.EXPIRE && unit.isOfSettledCopy()) {
            noteExpired(unit, key, old);
        }
        int sequence = unit.nextSequence();
        log(unit, change, key, old.document(), old, sequence);
        if (unit.isTentative() && change == Change.DELETE) {
            TentativeRows.note(unit, key, sequence, Optional.of(old), Optional.empty());
        }
        return index(unit, container, key, old, null);
    }

    private static void noteExpired(Unit unit, ItemKey key, StoredItem old) {
        unit.put(Expired.rowKey(key), Expired.encode(LogKey.of(old)));
        unit.put(VersionKey.encode(LogKey.of(old)), old.encode());
    }

    /** The last version of an item that is not there any more because its time was over, while the log tells of that. */
    static Optional<StoredItem> expired(Unit unit, ItemKey key) {
        return Optional.ofNullable(unit.get(Expired.rowKey(key)))
                .map(place -> unit.get(VersionKey.encode(Expired.decode(place))))
                .map(StoredItem::decode);
    }

    private static void clear(Unit unit, ItemKey key, StoredItem old) {
        unit.delete(key.bytes());
        unit.count(key.partition(), -1, -old.sizeBytes());
        unit.delete(DocumentKey.encode(old.document()));
        if (old.expirySecond() != 0) {
            unit.delete(new ExpiryKey(old.expirySecond(), key).encode());
        }
    }

    /**
     * Does what a change has done to another copy of the range. It is neither refused, nor does it end what is due here:
     * both were decided where it happened.
     *
     * @param item the version that it wrote there, null when there is none any more
     */
    static void apply(Unit unit, Container container, int sequence, LogEntry entry, StoredItem item) {
        var key = entry.item();
        var value = unit.get(key.bytes());
        var old = value == null ? null : StoredItem.decode(value);
        var holder = key.id().getBytes(StandardCharsets.UTF_8);
        if (old != null) {
            // Another item may have taken over a claim in the same change, before this one let go of it.
            claims(container, key, old).stream()
                    .filter(claim -> Arrays.equals(unit.get(claim), holder))
                    .forEach(unit::delete);
        }
        if (item != null) {
            claims(container, key, item).forEach(claim -> unit.put(claim, holder));
            unit.passDocument(item.document());
            store(unit, key, old, item);
        } else if (old != null) {
            clear(unit, key, old);
            if (entry.change() == Change.EXPIRE && unit.isOfSettledCopy()) {
                noteExpired(unit, key, old);
            }
        }
        unit.put(new LogKey(unit.lsn(), sequence).encode(), entry.encode());
        if (old != null) {
            unit.putUnread(VersionKey.encode(LogKey.of(old)), old.encode());
        }
        index(unit, container, key, old, item);
    }

    static void moveExpiry(Unit unit, ItemKey key, StoredItem item, long expirySecond) {
        if (item.expirySecond() != 0) {
            unit.delete(new ExpiryKey(item.expirySecond(), key).encode());
        }
        if (expirySecond != 0) {
            unit.put(new ExpiryKey(expirySecond, key).encode(), NOTHING);
        }
        unit.put(key.bytes(), item.withExpiry(expirySecond).encode());
    }

    private static void log(Unit unit, Change change, ItemKey key, long document, StoredItem old, int sequence) {
        if (unit.isDraft()) {
            return;
        }
        var previous = Optional.ofNullable(old).map(LogKey::of);
        var entry = new LogEntry(change, unit.nowSecond(), document, previous, key, unit.origin());
        unit.put(new LogKey(unit.lsn(), sequence).encode(), entry.encode());
        previous.ifPresent(place -> unit.putUnread(VersionKey.encode(place), old.encode()));
    }

    /** All rows, besides its own and that in the log, that a stored item has. */
    static SortedMap<byte[], byte[]> of(Container container, ItemKey key, StoredItem item) {
        var rows = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
        rows.put(DocumentKey.encode(item.document()), key.bytes());
        if (item.expirySecond() != 0) {
            rows.put(new ExpiryKey(item.expirySecond(), key).encode(), NOTHING);
        }
        var holder = key.id().getBytes(StandardCharsets.UTF_8);
        claims(container, key, item).forEach(claim -> rows.put(claim, holder));
        ItemIndex.of(container.definition()).rows(key, item).forEach(row -> rows.put(row.key(), row.value()));
        return rows;
    }

    // ---- index entries ----

    /** What a write changed in the index: entries, and how long the values in them are together. */
    record Terms(long written, long writtenBytes, long removed, long removedBytes) {}

    /** Turns the entries of one version into those of the next; null stands for no version. */
    private static Terms index(Unit unit, Container container, ItemKey key, StoredItem old, StoredItem item) {
        if (old != null) {
            unit.makeRoomFor(old.sizeBytes());
        }
        var before = entries(unit, container.definition(), key, old);
        long written = 0;
        long writtenBytes = 0;
        var gone = item == null ? before : new TreeMap<>(before);
        var after = item == null
                ? List.<Row>of()
                : ItemIndex.of(container.definition()).rows(key, item, unit::takeMemory);
        for (var row : after) {
            var same = before.get(row.key());
            gone.remove(row.key());
            if (row.isTerm() && (same == null || !Arrays.equals(same.value(), row.value()))) {
                written++;
                writtenBytes += row.termBytes();
            }
        }
        long removed = 0;
        long removedBytes = 0;
        for (var row : gone.values()) {
            if (row.isTerm()) {
                removed++;
                removedBytes += row.termBytes();
            }
        }
        if (!unit.isDraft()) {
            store(unit, container, key, old, before, gone, after);
        }
        return new Terms(written, writtenBytes, removed, removedBytes);
    }

    private static void store(
            Unit unit,
            Container container,
            ItemKey key,
            StoredItem old,
            SortedMap<byte[], Row> before,
            SortedMap<byte[], Row> gone,
            List<Row> after) {
        var certain = before;
        var possible = gone;
        // While an index is being rebuilt, what a policy before the present one asked for may be there, or not.
        if (!container.superseded().isEmpty()) {
            certain = new TreeMap<>(before);
            possible = new TreeMap<>(before);
            for (var definition : container.superseded()) {
                var entries = entries(unit, definition, key, old);
                certain.keySet().retainAll(entries.keySet());
                possible.putAll(entries);
            }
            for (var row : after) {
                possible.remove(row.key());
            }
        }
        for (var row : after) {
            if (row.isShared()) {
                if (!unit.has(row.key())) {
                    unit.put(row.key(), row.value());
                }
            } else if (!certain.containsKey(row.key())
                    || !Arrays.equals(certain.get(row.key()).value(), row.value())) {
                unit.putUnread(row.key(), row.value());
            }
        }
        possible.keySet().forEach(unit::deleteUnread);
    }

    private static SortedMap<byte[], Row> entries(
            Unit unit, ContainerDefinition definition, ItemKey key, StoredItem item) {
        var entries = new TreeMap<byte[], Row>(Arrays::compareUnsigned);
        if (item != null) {
            for (var row : ItemIndex.of(definition).rows(key, item, unit::takeMemory)) {
                if (!row.isShared()) {
                    entries.put(row.key(), row);
                }
            }
        }
        return entries;
    }

    /** Gives an item the entries that the container's present policy asks for; its version stays the same. */
    static void reindex(Unit unit, Container container, ItemKey key) {
        var value = unit.get(key.bytes());
        if (value != null) {
            index(unit, container, key, StoredItem.decode(value), StoredItem.decode(value));
        }
    }

    // ---- unique keys ----

    private static void claim(Unit unit, Container container, ItemKey key, StoredItem old, StoredItem item) {
        if (container.definition().uniqueKeyPolicy().uniqueKeys().isEmpty()) {
            return;
        }
        var before = old == null ? List.<byte[]>of() : claims(container, key, old);
        var after = claims(container, key, item);
        var holder = key.id().getBytes(StandardCharsets.UTF_8);
        before.forEach(unit::delete);
        for (var claim : after) {
            if (rival(unit, container, key, claim, holder).isPresent()) {
                throw new FailureException(new Failure.Conflict(
                        "Another item of the same partition has the same values in a unique key of the container."));
            }
            unit.put(claim, holder);
        }
    }

    /** The other items that have the values of a version in a unique key. */
    static List<StoredItem> rivals(Unit unit, Container container, ItemKey key, StoredItem item) {
        var holder = key.id().getBytes(StandardCharsets.UTF_8);
        return claims(container, key, item).stream()
                .flatMap(claim -> rival(unit, container, key, claim, holder).stream())
                .distinct()
                .map(other -> find(unit, container, other))
                .toList();
    }

    private static Optional<ItemKey> rival(Unit unit, Container container, ItemKey key, byte[] claim, byte[] holder) {
        var current = unit.get(claim);
        if (current == null || Arrays.equals(current, holder)) {
            return Optional.empty();
        }
        var owner = ItemKey.of(key.partition(), new String(current, StandardCharsets.UTF_8));
        return find(unit, container, owner) == null ? Optional.empty() : Optional.of(owner);
    }

    private static List<byte[]> claims(Container container, ItemKey key, StoredItem item) {
        var rules = container.definition().uniqueKeyPolicy().uniqueKeys();
        if (rules.isEmpty()) {
            return List.of();
        }
        LogicalPartition partition = key.partition();
        Obj json = item.text().asValue();
        var claims = new ArrayList<byte[]>(rules.size());
        for (int rule = 0; rule < rules.size(); rule++) {
            var values =
                    rules.get(rule).paths().stream().map(path -> path.in(json)).toList();
            claims.add(UniqueClaim.encode(partition, rule, values));
        }
        return claims;
    }
}
