package dev.orrery.engine.key;

import java.util.Arrays;

/**
 * One change of one item, without its content: {@code format:1 | change:1 | second:8 | document:8 | previous lsn:8 | item
 * key..}.
 */
public record LogEntry(Change change, long second, long document, long previousLsn, ItemKey item) {
    private static final int FORMAT = 1;

    /** Codes are on disk: append only. */
    public enum Change {
        CREATE(0),
        REPLACE(1),
        DELETE(2),
        EXPIRE(3);

        private final int code;

        Change(int code) {
            this.code = code;
        }

        private static Change of(int code) {
            return Arrays.stream(values())
                    .filter(change -> change.code == code)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("A log entry has the unknown change " + code));
        }
    }

    public byte[] encode() {
        return new KeyWriter(26 + item.bytes().length)
                .writeByte(FORMAT)
                .writeByte(change.code)
                .writeLong(second)
                .writeLong(document)
                .writeLong(previousLsn)
                .writeRaw(item.bytes())
                .toBytes();
    }

    public static LogEntry decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        Formats.demand("log entry", FORMAT, reader.readByte());
        return new LogEntry(
                Change.of(reader.readByte()),
                reader.readLong(),
                reader.readLong(),
                reader.readLong(),
                ItemKey.decode(reader.readRest()));
    }
}
