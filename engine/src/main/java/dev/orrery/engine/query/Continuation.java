package dev.orrery.engine.query;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * Where a page ended and the next one begins: {@code format:1 | purpose:4 | rows:8 | rows of item:4 | key.. |
 * checksum:4}, in base64. It carries all that is needed, so it outlives the server that gave it.
 *
 * @param purpose digest of what is being read; a token serves only the feed or query that it came from
 * @param rows how many rows have been given already
 * @param rowsOfItem how many of them came from the item under {@code key}
 * @param key of the last item that was looked at, empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
public record Continuation(int purpose, long rows, int rowsOfItem, byte[] key) {
    private static final byte FORMAT = 1;
    private static final int FIXED_BYTES = 1 + 4 + 8 + 4 + 4;

    public String encode() {
        var bytes = ByteBuffer.allocate(FIXED_BYTES + key.length)
                .put(FORMAT)
                .putInt(purpose)
                .putLong(rows)
                .putInt(rowsOfItem)
                .put(key);
        bytes.putInt(checksum(bytes.array(), bytes.position()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    public static Continuation decode(String token, int purpose) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException damaged) {
            throw refused();
        }
        if (bytes.length < FIXED_BYTES || bytes[0] != FORMAT) {
            throw refused();
        }
        var reader = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        int storedPurpose = reader.getInt();
        long rows = reader.getLong();
        int rowsOfItem = reader.getInt();
        var key = new byte[bytes.length - FIXED_BYTES];
        reader.get(key);
        if (reader.getInt() != checksum(bytes, bytes.length - 4) || storedPurpose != purpose) {
            throw refused();
        }
        return new Continuation(purpose, rows, rowsOfItem, key);
    }

    private static int checksum(byte[] bytes, int length) {
        var checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    private static FailureException refused() {
        return new FailureException(new Failure.BadRequest(
                "The continuation token is damaged or belongs to another request. Start again without it."));
    }
}
