package dev.orrery.engine.key;

import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.PartitionKeyBytes;
import dev.orrery.model.key.PartitionKeyDefinition;
import java.util.List;
import java.util.Optional;

/** Tells which part of the key space a stored row of a container belongs to, so that a range can be cut in two. */
public final class RowPlace {
    /** The key spaces whose rows go with their items. */
    public static final List<KeySpace> SPACES = List.of(
            KeySpace.ITEM,
            KeySpace.DOCUMENT,
            KeySpace.LOG,
            KeySpace.VERSION,
            KeySpace.VIEW_PLACES,
            KeySpace.VIEW_OWNER,
            KeySpace.UNIQUE,
            KeySpace.EXPIRY,
            KeySpace.INDEX);

    /** The key spaces whose rows may be of use to items anywhere. */
    public static final List<KeySpace> SHARED_SPACES =
            List.of(KeySpace.OUTLINE, KeySpace.VIEW_PROGRESS, KeySpace.EPOCHS, KeySpace.COPY_STATE);

    private final PartitionKeyDefinition definition;

    public RowPlace(PartitionKeyDefinition definition) {
        this.definition = definition;
    }

    /** Empty for a row that belongs to a partition as a whole. */
    public Optional<EffectivePartitionKey> of(byte[] key, byte[] value) {
        return SPACES.stream()
                .filter(space -> space.tag() == key[0])
                .findFirst()
                .map(space -> switch (space) {
                    case ITEM -> ItemKey.decode(key).epk();
                    case DOCUMENT -> ItemKey.decode(value).epk();
                    case LOG -> LogEntry.decode(value).item().epk();
                    case VERSION -> placeOf(StoredItem.decode(value));
                    case VIEW_PLACES -> ViewKeys.placesItem(key).epk();
                    case VIEW_OWNER -> ViewKeys.ownerItem(key).epk();
                    case UNIQUE -> EffectivePartitionKey.ofBytes(new KeyReader(key, 1).readOrdered());
                    case EXPIRY -> ExpiryKey.decode(key).item().epk();
                    case INDEX -> indexed(key, value);
                    case RESOURCE,
                            COUNTER,
                            DATA_FORMAT,
                            CATALOG_VERSION,
                            CATALOG_LOG,
                            PARTITION_STATE,
                            OUTLINE,
                            VIEW_PROGRESS,
                            EPOCHS,
                            COPY_STATE,
                            TENTATIVE,
                            HELD,
                            FRONTIER,
                            CONFIRMED,
                            PASSED_OVER,
                            EXPIRED -> throw new IllegalStateException("Not a row of an item: " + space);
                });
    }

    private EffectivePartitionKey indexed(byte[] key, byte[] value) {
        var partition = PartitionKeyBytes.decode(value, IndexKey.kind(key).locatorStart());
        return EffectivePartitionKey.of(partition.key(), definition);
    }

    private EffectivePartitionKey placeOf(StoredItem item) {
        return EffectivePartitionKey.of(definition.extract(item.text()), definition);
    }

    /** Where a row belongs that was noted beside an item, whether it is still there or not. */
    public static EffectivePartitionKey ofNote(byte[] key) {
        if (key[0] != KeySpace.VIEW_PLACES.tag()) {
            throw new IllegalStateException("Only views note something beside items");
        }
        return ViewKeys.placesItem(key).epk();
    }

    public static boolean isShared(byte[] key) {
        return SHARED_SPACES.stream().anyMatch(space -> space.tag() == key[0]);
    }
}
