package dev.orrery.conformance.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** Batches as the .NET SDK sends and reads them (rows of the HybridRow format), written from the layout. */
public final class BinaryBatch {
    /** The numbers of the operation types. */
    public static final int CREATE = 0;

    public static final int PATCH = 1;
    public static final int READ = 2;
    public static final int DELETE = 4;
    public static final int REPLACE = 5;
    public static final int UPSERT = 20;

    private static final int SEGMENT = 2147473648;
    private static final int RECORD = 2147473649;
    private static final int OPERATION = 2145473648;
    private static final int RESULT = 2145473649;

    private final ByteArrayOutputStream stream = new ByteArrayOutputStream();

    /** A result of a reply; {@code etag} and {@code body} are empty where there was none. */
    public record Result(int status, int substatus, String etag, String body, double charge) {}

    public BinaryBatch() {
        stream.writeBytes(row(SEGMENT, 10).put((byte) 1).putInt(10).array());
    }

    /** Adds an operation whose partition key, id and body are left out where they are empty. */
    public BinaryBatch add(int type, String partitionKey, String id, String body) {
        return add(type, partitionKey, id, body, Map.of());
    }

    /** Adds an operation with texts by the number of their field, such as 9 for ifMatch. */
    public BinaryBatch add(int type, String partitionKey, String id, String body, Map<Integer, String> texts) {
        var variable = new ByteArrayOutputStream();
        int presence = 3;
        presence |= put(variable, partitionKey) ? 4 : 0;
        presence |= put(variable, id) ? 16 : 0;
        presence |= put(variable, body) ? 64 : 0;
        new TreeMap<>(texts).forEach((path, text) -> {
            variable.write(20);
            variable.write(path);
            put(variable, text);
        });
        var fields = variable.toByteArray();
        record(row(OPERATION, 14 + fields.length)
                .put((byte) presence)
                .putInt(type)
                .putInt(2)
                .put(fields)
                .array());
        return this;
    }

    public byte[] bytes() {
        return stream.toByteArray();
    }

    private void record(byte[] row) {
        var crc = new CRC32();
        crc.update(row);
        stream.writeBytes(
                row(RECORD, 13).putInt(row.length).putInt((int) crc.getValue()).array());
        stream.writeBytes(row);
    }

    private static ByteBuffer row(int schema, int length) {
        return ByteBuffer.allocate(length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0x81)
                .putInt(schema);
    }

    private static boolean put(ByteArrayOutputStream out, String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = bytes.length;
        if (length > 0) {
            for (; length > 127; length /= 128) {
                out.write(length % 128 + 128);
            }
            out.write(length);
            out.writeBytes(bytes);
        }
        return bytes.length > 0;
    }

    // ---- replies ----

    public static List<Result> results(WireReply reply) {
        var bytes = ByteBuffer.wrap(reply.body().getBytes(StandardCharsets.ISO_8859_1))
                .order(ByteOrder.LITTLE_ENDIAN);
        expect(bytes, SEGMENT);
        bytes.position(10);
        var results = new ArrayList<Result>();
        while (bytes.hasRemaining()) {
            expect(bytes, RECORD);
            var row = new byte[bytes.getInt()];
            var checksum = bytes.getInt();
            bytes.get(row);
            var crc = new CRC32();
            crc.update(row);
            demand(checksum == (int) crc.getValue(), "a wrong checksum");
            results.add(result(ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN)));
        }
        return results;
    }

    private static Result result(ByteBuffer row) {
        expect(row, RESULT);
        int presence = row.get();
        var status = row.getInt();
        var substatus = row.getInt();
        var etag = (presence & 4) == 0 ? "" : text(row);
        var body = (presence & 8) == 0 ? "" : text(row);
        demand(row.getShort() == 0x0610, "no charge");
        return new Result(status, substatus, etag, body, row.getDouble());
    }

    private static String text(ByteBuffer row) {
        int length = 0;
        for (int shift = 0; ; shift += 7) {
            int next = row.get();
            length |= (next & 127) << shift;
            if (next >= 0) {
                break;
            }
        }
        var bytes = new byte[length];
        row.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void expect(ByteBuffer bytes, int schema) {
        demand(bytes.get() == (byte) 0x81, "no row where one must be");
        demand(bytes.getInt() == schema, "a row of another schema");
    }

    private static void demand(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError("the reply has " + otherwise);
        }
    }
}
