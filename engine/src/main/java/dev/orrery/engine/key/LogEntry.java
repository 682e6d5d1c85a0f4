package dev.orrery.engine.key;

import java.util.List;
import java.util.Optional;

/**
 * One change of one item, without its content: {@code format:1 | change:1 | second:8 | document:8 | previous lsn:8 |
 * previous sequence:4 | item key..}. Format 1 had no sequence, so that the change before is not known.
 *
 * @param previous the change that wrote the version before
 */
public record LogEntry(Change change, long second, long document, Optional<LogKey> previous, ItemKey item) {
    private static final int FORMAT_WITHOUT_SEQUENCE = 1;
    private static final int FORMAT = 2;
    private static final LogKey NONE = new LogKey(0, 0);

    /** Codes are on disk: append only. */
    public enum Change {
        CREATE(0),
        REPLACE(1),
        DELETE(2),
        EXPIRE(3);

        private static final List<Change> ALL = List.of(values());

        private final int code;

        Change(int code) {
            this.code = code;
        }

        /** Whether there is no item any more behind it. */
        public boolean isEnd() {
            return this == DELETE || this == EXPIRE;
        }

        private static Change of(int code) {
            for (var change : ALL) {
                if (change.code == code) {
                    return change;
                }
            }
            throw new IllegalStateException("A log entry has the unknown change " + code);
        }
    }

    public byte[] encode() {
        var before = previous.orElse(NONE);
        return new KeyWriter(30 + item.bytes().length)
                .writeByte(FORMAT)
                .writeByte(change.code)
                .writeLong(second)
                .writeLong(document)
                .writeLong(before.lsn())
                .writeInt(before.sequence())
                .writeRaw(item.bytes())
                .toBytes();
    }

    public static LogEntry decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        int format = reader.readByte();
        if (format != FORMAT_WITHOUT_SEQUENCE) {
            Formats.demand("log entry", FORMAT, format);
        }
        var change = Change.of(reader.readByte());
        long second = reader.readLong();
        long document = reader.readLong();
        long previousLsn = reader.readLong();
        // Half a place might be that of another item's change.
        var previous = format == FORMAT ? new LogKey(previousLsn, reader.readInt()) : NONE;
        return new LogEntry(
                change,
                second,
                document,
                Optional.of(previous).filter(place -> !place.equals(NONE)),
                ItemKey.decode(reader.readRest()));
    }
}
