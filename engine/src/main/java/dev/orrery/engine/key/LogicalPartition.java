package dev.orrery.engine.key;

import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyBytes;
import dev.orrery.store.KeyRange;

/** All items of one partition key value: the scope of a transaction and of a unique key. */
public record LogicalPartition(EffectivePartitionKey epk, PartitionKey key) {

    /** What the keys of all its items begin with. */
    public byte[] itemPrefix() {
        return prefix(KeySpace.ITEM);
    }

    byte[] prefix(KeySpace space) {
        var epkBytes = epk.bytes();
        var keyBytes = PartitionKeyBytes.encode(key);
        return space.writer(epkBytes.length + keyBytes.length + 6)
                .writeOrdered(epkBytes)
                .writeRaw(keyBytes)
                .toBytes();
    }

    /** The keys of all its items. */
    public KeyRange itemKeys() {
        return KeyRange.prefix(itemPrefix());
    }
}
