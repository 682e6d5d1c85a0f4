package dev.orrery.engine.key;

import java.util.List;
import java.util.Optional;

/**
 * One change of one item, without its content: {@code format:1 | change:1 | second:8 | document:8 | previous lsn:8 |
 * previous sequence:4 | item key..}. Format 1 had no sequence, so that the change before is not known. Format 3, of a change
 * that was written in one region and settled in another, has {@code slot:4 | lsn:8 | sequence:4} before the item key.
 *
 * @param previous the change that wrote the version before
 * @param origin where it was written, if several regions write
 */
public record LogEntry(
        Change change, long second, long document, Optional<LogKey> previous, ItemKey item, Optional<Origin> origin) {
    private static final int FORMAT_WITHOUT_SEQUENCE = 1;
    private static final int FORMAT = 2;
    private static final int FORMAT_WITH_ORIGIN = 3;
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

    /** A change of an account that one region writes to. */
    public LogEntry(Change change, long second, long document, Optional<LogKey> previous, ItemKey item) {
        this(change, second, document, previous, item, Optional.empty());
    }

    public byte[] encode() {
        var before = previous.orElse(NONE);
        var writer = new KeyWriter((origin.isPresent() ? 46 : 30) + item.bytes().length)
                .writeByte(origin.isPresent() ? FORMAT_WITH_ORIGIN : FORMAT)
                .writeByte(change.code)
                .writeLong(second)
                .writeLong(document)
                .writeLong(before.lsn())
                .writeInt(before.sequence());
        origin.ifPresent(from -> writer.writeInt(from.slot())
                .writeLong(from.place().lsn())
                .writeInt(from.place().sequence()));
        return writer.writeRaw(item.bytes()).toBytes();
    }

    public static LogEntry decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        int format = reader.readByte();
        if (format != FORMAT_WITHOUT_SEQUENCE && format != FORMAT_WITH_ORIGIN) {
            Formats.demand("log entry", FORMAT, format);
        }
        var change = Change.of(reader.readByte());
        long second = reader.readLong();
        long document = reader.readLong();
        long previousLsn = reader.readLong();
        // Half a place might be that of another item's change.
        var previous = format == FORMAT_WITHOUT_SEQUENCE ? NONE : new LogKey(previousLsn, reader.readInt());
        Optional<Origin> origin = format == FORMAT_WITH_ORIGIN
                ? Optional.of(new Origin(reader.readInt(), new LogKey(reader.readLong(), reader.readInt())))
                : Optional.empty();
        return new LogEntry(
                change,
                second,
                document,
                Optional.of(previous).filter(place -> !place.equals(NONE)),
                ItemKey.decode(reader.readRest()),
                origin);
    }
}
