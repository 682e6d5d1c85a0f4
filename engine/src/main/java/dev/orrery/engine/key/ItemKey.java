package dev.orrery.engine.key;

import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyBytes;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.store.KeyRange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Where one item lives: {@code tag | epk.. 00 00 | partition key.. | id..}, the partition key telling its own end.
 *
 * <p>The partition key follows its hash because two keys may share a hash; the items of a logical partition lie side by
 * side.
 */
public final class ItemKey {
    private final byte[] bytes;

    private ItemKey(byte[] bytes) {
        this.bytes = bytes;
    }

    public static ItemKey of(LogicalPartition partition, String id) {
        var prefix = partition.itemPrefix();
        return new ItemKey(new KeyWriter(prefix.length + id.length() * 3)
                .writeRaw(prefix)
                .writeRaw(id)
                .toBytes());
    }

    public static ItemKey decode(byte[] bytes) {
        return new ItemKey(bytes);
    }

    public byte[] bytes() {
        return bytes;
    }

    /** The part that decides which range the item belongs to. */
    public EffectivePartitionKey epk() {
        return EffectivePartitionKey.ofBytes(new KeyReader(bytes, 1).readOrdered());
    }

    public PartitionKey partitionKey() {
        return decodePartitionKey().key();
    }

    private PartitionKeyBytes.Decoded decodePartitionKey() {
        var reader = new KeyReader(bytes, 1);
        reader.readOrdered();
        return PartitionKeyBytes.decode(bytes, reader.position());
    }

    public LogicalPartition partition() {
        return new LogicalPartition(epk(), partitionKey());
    }

    public String id() {
        int start = decodePartitionKey().end();
        return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
    }

    /** The partition key and the id: with the container's definition they tell the whole key. */
    public byte[] locator() {
        var reader = new KeyReader(bytes, 1);
        reader.readOrdered();
        return reader.readRest();
    }

    /** The key that a {@link #locator} is the end of. */
    public static ItemKey ofLocator(byte[] value, int from, int to, PartitionKeyDefinition definition) {
        var epk = EffectivePartitionKey.of(PartitionKeyBytes.decode(value, from).key(), definition)
                .bytes();
        return new ItemKey(KeySpace.ITEM
                .writer(epk.length + to - from + 6)
                .writeOrdered(epk)
                .writeRaw(value, from, to - from)
                .toBytes());
    }

    /** The {@linkplain DocumentKey cluster} of the items from a key on, which may be cut off anywhere. */
    public static long cluster(byte[] key, PartitionKeyDefinition definition) {
        return key[0] == KeySpace.ITEM.tag()
                ? DocumentKey.cluster(new KeyReader(key, 1).readEscaped(), definition)
                : DocumentKey.cluster(EffectivePartitionKey.MAX, definition);
    }

    /** All item keys of an EPK range. */
    public static KeyRange keysOf(EpkRange range) {
        return new KeyRange(start(range), end(range));
    }

    /** First possible item key of an EPK range. */
    public static byte[] start(EpkRange range) {
        return bound(range.min());
    }

    /** End, exclusive, of the item keys of an EPK range. */
    public static byte[] end(EpkRange range) {
        return bound(range.max());
    }

    private static byte[] bound(EffectivePartitionKey epk) {
        return KeySpace.ITEM
                .writer(epk.bytes().length)
                .writeEscaped(epk.bytes())
                .toBytes();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ItemKey that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
