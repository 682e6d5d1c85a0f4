package dev.orrery.gateway.hybridrow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32;

/**
 * RecordIO, a sequence of rows with their lengths and checksums: {@code segment {record row}}, where
 *
 * <pre>
 * segment = 81 F0D8FF7F  presence:1  length:4  ...   length counts from the 81 to the end of this header
 * record  = 81 F1D8FF7F  length:4  crc:4             both of the row that follows; CRC-32 as in ISO 3309
 * </pre>
 *
 * Numbers are little-endian. Segments may be joined; what a segment header says beyond its length is passed over.
 */
public final class RecordStream {
    private static final int SEGMENT_SCHEMA = 2147473648;
    private static final int RECORD_SCHEMA = 2147473649;
    private static final int SEGMENT_BYTES = 10;
    private static final int RECORD_BYTES = 13;

    private final ByteBuffer stream;

    /** Stands before the first record of a body; a body without a proper beginning is a bad request. */
    public RecordStream(byte[] body) {
        this.stream = ByteBuffer.wrap(body);
        if (!begins(body) || !atSegment()) {
            throw RowReader.bad("A binary batch must begin with a RecordIO segment.");
        }
        skipSegments();
    }

    /** Whether a body is in this form; no JSON text begins so. */
    public static boolean begins(byte[] body) {
        return body.length > 0 && body[0] == RowReader.VERSION;
    }

    // ---- reading ----

    public boolean hasNext() {
        return stream.hasRemaining();
    }

    /** The row of the next record, not copied and with its checksum proved. */
    public ByteBuffer next() {
        var reader = new RowReader(stream);
        if (reader.schemaId() != RECORD_SCHEMA) {
            throw RowReader.bad("There is something other than the header of a record where one must be.");
        }
        int length = reader.int32("the length of a record");
        int announced = reader.int32("the checksum of a record");
        var row = reader.take(length, "the row of a record");
        if (checksum(row) != announced) {
            throw RowReader.bad("Its checksum is wrong: the bytes were changed on their way.");
        }
        stream.position(stream.limit() - reader.remaining());
        skipSegments();
        return row;
    }

    private void skipSegments() {
        while (atSegment()) {
            var reader = new RowReader(stream);
            reader.schemaId();
            reader.uint8("the presence bits of a segment");
            int length = reader.int32("the length of a segment");
            if (length < SEGMENT_BYTES) {
                throw RowReader.bad("A RecordIO segment says that it has " + length + " bytes, its header alone has "
                        + SEGMENT_BYTES + ".");
            }
            reader.take(length - SEGMENT_BYTES, "the header of a segment");
            stream.position(stream.limit() - reader.remaining());
        }
    }

    private boolean atSegment() {
        return stream.remaining() > Integer.BYTES
                && stream.get(stream.position()) == RowReader.VERSION
                && stream.slice().order(ByteOrder.LITTLE_ENDIAN).getInt(1) == SEGMENT_SCHEMA;
    }

    // ---- writing ----

    /** Frames rows as one segment. */
    public static byte[] encode(List<byte[]> rows) {
        int bytes = SEGMENT_BYTES
                + rows.stream().mapToInt(row -> RECORD_BYTES + row.length).sum();
        var out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.put(RowReader.VERSION).putInt(SEGMENT_SCHEMA).put((byte) 1).putInt(SEGMENT_BYTES);
        for (var row : rows) {
            out.put(RowReader.VERSION).putInt(RECORD_SCHEMA).putInt(row.length).putInt(checksum(ByteBuffer.wrap(row)));
            out.put(row);
        }
        return out.array();
    }

    private static int checksum(ByteBuffer row) {
        var crc = new CRC32();
        crc.update(row.duplicate());
        return (int) crc.getValue();
    }
}
