package dev.orrery.engine.key;

import dev.orrery.model.json.ItemText;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.SystemProperties;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * An item as stored: {@code format:1 | lsn:8 | sequence:4 | second:8 | document:8 | ttl:4 | expiry:8 | indexed:1 |
 * text..}.
 *
 * @param lsn commit that wrote this version
 * @param sequence place among the writes of that commit
 * @param second time of that commit, in seconds since 1970 ({@code _ts})
 * @param document the number in {@code _rid}
 * @param ttlSeconds the item's own {@code ttl}: -1 for never, 0 when it has none
 * @param expirySecond the second under which an {@link ExpiryKey} was written with this version, 0 for none
 * @param indexed false when the writer of this version wanted it to have no index entries
 * @param text the JSON text with all system properties
 */
public record StoredItem(
        long lsn,
        int sequence,
        long second,
        long document,
        int ttlSeconds,
        long expirySecond,
        boolean indexed,
        ItemText text) {
    private static final int FORMAT = 2;
    private static final int HEADER_BYTES = 42;

    public byte[] encode() {
        var value = new byte[HEADER_BYTES + text.encodedLength()];
        text.encode(value, HEADER_BYTES);
        var header = new KeyWriter(HEADER_BYTES)
                .writeByte(FORMAT)
                .writeLong(lsn)
                .writeInt(sequence)
                .writeLong(second)
                .writeLong(document)
                .writeInt(ttlSeconds)
                .writeLong(expirySecond)
                .writeByte(indexed ? 1 : 0)
                .toBytes();
        System.arraycopy(header, 0, value, 0, HEADER_BYTES);
        return value;
    }

    public static StoredItem decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        Formats.demand("item", FORMAT, reader.readByte());
        return new StoredItem(
                reader.readLong(),
                reader.readInt(),
                reader.readLong(),
                reader.readLong(),
                reader.readInt(),
                reader.readLong(),
                reader.readByte() == 1,
                ItemText.decode(value, HEADER_BYTES, value.length));
    }

    /** The same version as another commit stores it; its text, and with it its etag, stays as it is. */
    public StoredItem storedBy(long commitLsn, int place, long expiry) {
        return new StoredItem(commitLsn, place, second, document, ttlSeconds, expiry, indexed, text);
    }

    public StoredItem withExpiry(long changed) {
        return new StoredItem(lsn, sequence, second, document, ttlSeconds, changed, indexed, text);
    }

    /** The text as clients see it. */
    public ByteBuffer json() {
        return ByteBuffer.wrap(text.array(), text.textStart(), text.textLength())
                .slice();
    }

    public int sizeBytes() {
        return text.textLength();
    }

    public String etag() {
        return ((Str) text.member(SystemProperties.ETAG)).value();
    }

    /** The LSN under which a version was written, wherever that was. */
    public static long lsnOf(String etag) {
        return Long.parseLong(etag.substring(1, 9) + etag.substring(10, 14), 16);
    }

    /** Quoted, as etags are on the wire; no two versions of an item share one. */
    public static String etag(long lsn, int sequence, long second) {
        var hex = HexFormat.of();
        return '"' + hex.toHexDigits((int) (lsn >>> 16)) + '-' + hex.toHexDigits((short) lsn) + '-'
                + hex.toHexDigits((short) sequence) + '-' + hex.toHexDigits((short) (sequence >>> 16)) + '-'
                + hex.toHexDigits((int) second) + "0000\"";
    }
}
