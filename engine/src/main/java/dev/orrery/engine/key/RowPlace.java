package dev.orrery.engine.key;

import dev.orrery.model.key.EffectivePartitionKey;
import java.util.List;
import java.util.Optional;

/** Tells which part of the key space a stored row belongs to, so that a range can be cut in two. */
public final class RowPlace {
    /** The key spaces whose rows go with their items. */
    public static final List<KeySpace> SPACES =
            List.of(KeySpace.ITEM, KeySpace.DOCUMENT, KeySpace.LOG, KeySpace.UNIQUE, KeySpace.EXPIRY);

    private RowPlace() {}

    /** Empty for a row that belongs to a partition as a whole. */
    public static Optional<EffectivePartitionKey> of(byte[] key, byte[] value) {
        return SPACES.stream()
                .filter(space -> space.tag() == key[0])
                .findFirst()
                .map(space -> switch (space) {
                    case ITEM -> ItemKey.decode(key).epk();
                    case DOCUMENT -> ItemKey.decode(value).epk();
                    case LOG -> LogEntry.decode(value).item().epk();
                    case UNIQUE -> EffectivePartitionKey.ofBytes(new KeyReader(key, 1).readOrdered());
                    case EXPIRY -> ExpiryKey.decode(key).item().epk();
                    case RESOURCE, COUNTER, PARTITION_STATE ->
                        throw new IllegalStateException("Not a row of an item: " + space);
                });
    }
}
