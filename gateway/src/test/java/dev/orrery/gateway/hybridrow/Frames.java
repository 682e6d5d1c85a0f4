package dev.orrery.gateway.hybridrow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/** Writes requests and reads replies as the .NET SDK does, from the layout and not with the server's code. */
public final class Frames {
    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] SEGMENT = hex("81 F0D8FF7F 01 0A000000");

    private Frames() {}

    /** A result of a reply; what was absent is null. */
    public record Result(int status, int substatus, String etag, String body, Long retryAfterMillis, Double charge) {}

    /** Bytes from hexadecimal digits, with spaces and line breaks anywhere between bytes. */
    public static byte[] hex(String digits) {
        return HEX.parseHex(digits.replaceAll("\\s", ""));
    }

    public static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (var part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** Rows with the headers and checksums around them. */
    public static byte[] stream(List<byte[]> rows) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(SEGMENT);
        rows.forEach(row -> out.writeBytes(join(hex("81 F1D8FF7F"), int32(row.length), int32(checksum(row)), row)));
        return out.toByteArray();
    }

    public static byte[] stream(byte[]... rows) {
        return stream(List.of(rows));
    }

    /** A row of an operation; absent are a negative type, and a text that is null. */
    public static byte[] operation(int type, String partitionKey, String id, String body, byte[]... sparse) {
        int presence = (type < 0 ? 0 : 1)
                | 2
                | (partitionKey == null ? 0 : 4)
                | (id == null ? 0 : 16)
                | (body == null ? 0 : 64);
        return join(
                hex("81 7054E17F"),
                new byte[] {(byte) presence},
                int32(Math.max(type, 0)),
                int32(2),
                variable(partitionKey),
                variable(id),
                variable(body),
                join(sparse));
    }

    public static byte[] text(int path, String text) {
        return join(new byte[] {20, (byte) path}, variable(text));
    }

    public static byte[] variable(String text) {
        if (text == null) {
            return new byte[0];
        }
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        return join(varuint(bytes.length), bytes);
    }

    private static byte[] varuint(int value) {
        return value < 128 ? new byte[] {(byte) value} : join(new byte[] {(byte) (value | 128)}, varuint(value / 128));
    }

    public static byte[] int32(int value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }

    // ---- replies ----

    public static List<Result> results(byte[] reply) {
        var in = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN);
        expect(in, SEGMENT);
        var results = new ArrayList<Result>();
        while (in.hasRemaining()) {
            expect(in, hex("81 F1D8FF7F"));
            var row = new byte[in.getInt()];
            int checksum = in.getInt();
            in.get(row);
            assertThat(checksum).isEqualTo(checksum(row));
            results.add(result(ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN)));
        }
        return results;
    }

    private static Result result(ByteBuffer row) {
        expect(row, hex("81 7154E17F"));
        int presence = row.get();
        assertThat(presence & 3).as("status and substatus are present").isEqualTo(3);
        int status = row.getInt();
        int substatus = row.getInt();
        var etag = (presence & 4) == 0 ? null : string(row);
        var body = (presence & 8) == 0 ? null : string(row);
        Long retryAfterMillis = null;
        Double charge = null;
        while (row.hasRemaining()) {
            int field = row.getShort();
            switch (field) {
                case 0x050B -> retryAfterMillis = row.getInt() & 0xFFFF_FFFFL;
                case 0x0610 -> charge = row.getDouble();
                default -> throw new AssertionError("a field of type and path " + Integer.toHexString(field));
            }
        }
        return new Result(status, substatus, etag, body, retryAfterMillis, charge);
    }

    private static String string(ByteBuffer row) {
        int length = 0;
        int next = 128;
        for (int shift = 0; next >= 128; shift += 7) {
            next = row.get() & 255;
            length += (next & 127) << shift;
        }
        var bytes = new byte[length];
        row.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void expect(ByteBuffer in, byte[] expected) {
        var found = new byte[expected.length];
        in.get(found);
        assertThat(found).isEqualTo(expected);
    }

    private static int checksum(byte[] row) {
        var crc = new CRC32();
        crc.update(row);
        return (int) crc.getValue();
    }
}
