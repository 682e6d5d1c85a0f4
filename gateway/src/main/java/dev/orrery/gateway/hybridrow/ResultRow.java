package dev.orrery.gateway.hybridrow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The result of an operation of a batch, written as a row:
 *
 * <pre>
 * 81 7154E17F  presence:1  statusCode:4  subStatusCode:4
 *              eTag  resourceBody                          only those present, each: length as varuint, bytes
 *              0B 05 retryAfterMilliseconds:4              only if present
 *              10 06 requestCharge:8                       as a double
 * </pre>
 *
 * @param resourceBody JSON text: the item, or why there is none
 */
public record ResultRow(
        int statusCode,
        int subStatusCode,
        Optional<String> eTag,
        Optional<ByteBuffer> resourceBody,
        Optional<Long> retryAfterMilliseconds,
        double requestCharge) {

    private static final int SCHEMA = 2145473649;
    private static final int STATUS_BITS = 0b0011;
    private static final int ETAG_BIT = 0b0100;
    private static final int BODY_BIT = 0b1000;

    private static final byte UINT32 = 11;
    private static final byte FLOAT64 = 16;
    private static final byte RETRY_AFTER_PATH = 5;
    private static final byte CHARGE_PATH = 6;

    /** Everything but the etag and the body: 14 bytes before them, two lengths, 16 bytes behind. */
    private static final int OTHER_BYTES_MAX = 14 + 2 * 5 + 16;

    public byte[] encode() {
        var etag = eTag.map(text -> ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        int variableBytes = etag.map(ByteBuffer::remaining).orElse(0)
                + resourceBody.map(ByteBuffer::remaining).orElse(0);
        var row = ByteBuffer.allocate(OTHER_BYTES_MAX + variableBytes).order(ByteOrder.LITTLE_ENDIAN);
        int presence = STATUS_BITS | (etag.isPresent() ? ETAG_BIT : 0) | (resourceBody.isPresent() ? BODY_BIT : 0);
        row.put(RowReader.VERSION).putInt(SCHEMA).put((byte) presence);
        row.putInt(statusCode).putInt(subStatusCode);
        etag.ifPresent(bytes -> putVariable(row, bytes));
        resourceBody.ifPresent(bytes -> putVariable(row, bytes));
        retryAfterMilliseconds.ifPresent(
                millis -> row.put(UINT32).put(RETRY_AFTER_PATH).putInt((int) Math.min(millis, 0xFFFF_FFFFL)));
        row.put(FLOAT64).put(CHARGE_PATH).putDouble(requestCharge);
        var bytes = new byte[row.position()];
        row.flip().get(bytes);
        return bytes;
    }

    private static void putVariable(ByteBuffer row, ByteBuffer bytes) {
        int rest = bytes.remaining();
        for (; rest >= 0x80; rest >>>= 7) {
            row.put((byte) (rest | 0x80));
        }
        row.put((byte) rest).put(bytes.duplicate());
    }
}
