package dev.orrery.engine.key;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A write of a client that is done here and not settled yet, {@code tag | lsn:8 | sequence:4 -> format:1 | second:8 |
 * base:4+ | patch:4+ | item key:4+ | item..}; lengths are -1 for what there is not. Beside it, {@code tag | item key ->
 * lsn:8 | sequence:4} tells the last such write of an item.
 *
 * @param second when it was written
 * @param base the etag of the version that it replaced or deleted; none when there was no item
 * @param patch the operations, when it was a patch
 * @param item the version that it made; none when it deleted
 */
public record Tentative(
        LogKey place,
        long second,
        Optional<String> base,
        Optional<byte[]> patch,
        ItemKey key,
        Optional<StoredItem> item) {
    private static final int FORMAT = 1;
    private static final int NONE = -1;

    public static byte[] rowKey(LogKey place) {
        return KeySpace.TENTATIVE
                .writer(12)
                .writeLong(place.lsn())
                .writeInt(place.sequence())
                .toBytes();
    }

    public byte[] rowKey() {
        return rowKey(place);
    }

    public static LogKey place(byte[] rowKey) {
        return LogKey.decode(rowKey);
    }

    /** Where the writes of later commits begin. */
    public static byte[] after(long lsn) {
        return rowKey(new LogKey(lsn + 1, 0));
    }

    public static byte[] heldKey(ItemKey item) {
        return KeySpace.HELD.writer(item.bytes().length).writeRaw(item.bytes()).toBytes();
    }

    /** The item that a row of {@link #heldKey} is about. */
    public static ItemKey held(byte[] heldKey) {
        return ItemKey.decode(new KeyReader(heldKey, 1).readRest());
    }

    public Tentative withPatch(byte[] operations) {
        return new Tentative(place, second, base, Optional.of(operations), key, item);
    }

    public byte[] encode() {
        var writer = new KeyWriter(64
                        + key.bytes().length
                        + item.map(StoredItem::sizeBytes).orElse(0))
                .writeByte(FORMAT)
                .writeLong(second);
        write(writer, base.map(etag -> etag.getBytes(StandardCharsets.UTF_8)));
        write(writer, patch);
        write(writer, Optional.of(key.bytes()));
        item.ifPresent(version -> writer.writeRaw(version.encode()));
        return writer.toBytes();
    }

    public static Tentative decode(LogKey place, byte[] value) {
        var reader = new KeyReader(value, 0);
        Formats.demand("tentative write", FORMAT, reader.readByte());
        long second = reader.readLong();
        var base = read(reader).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
        var patch = read(reader);
        var key = ItemKey.decode(read(reader).orElseThrow());
        var item = reader.position() == value.length
                ? Optional.<StoredItem>empty()
                : Optional.of(StoredItem.decode(reader.readRest()));
        return new Tentative(place, second, base, patch, key, item);
    }

    private static void write(KeyWriter writer, Optional<byte[]> part) {
        writer.writeInt(part.map(bytes -> bytes.length).orElse(NONE));
        part.ifPresent(writer::writeRaw);
    }

    private static Optional<byte[]> read(KeyReader reader) {
        int length = reader.readInt();
        return length == NONE ? Optional.empty() : Optional.of(reader.readBytes(length));
    }
}
