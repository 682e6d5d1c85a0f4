package dev.orrery.engine.query;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * Where a page ended and the next one begins: {@code format:1 | purpose:4 | time:8 | rows:8 | rows of item:4 | key.. |
 * checksum:4}, in base64. It carries all that is needed, so it outlives the server that gave it.
 *
 * <p>Some 100 characters for keys and ids of usual length, and {@link Limits#CONTINUATION_CHARACTERS_MAX} for the longest.
 *
 * @param purpose what is being read
 * @param now the time that the first page saw, which is the time that the whole query sees
 * @param rows how many rows have been given already
 * @param rowsOfItem how many of them came from the item under {@code key}
 * @param key of the last item that was looked at, empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
public record Continuation(Purpose purpose, Instant now, long rows, int rowsOfItem, byte[] key) {
    private static final byte FORMAT = 2;
    private static final int FIXED_BYTES = 1 + 4 + 8 + 8 + 4 + 4;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /**
     * What tells one feed or query from another, as numbers: a token serves only what it came from.
     *
     * @param order of what has the same rows in the same order, but for some that it leaves out: a token that holds a place
     *     goes on there whatever is left out. SDKs go on with a sorted query behind another condition.
     * @param rows of what has the very same rows: a token that only counts them means nothing elsewhere
     */
    public record Purpose(int order, int rows) {
        /** Of something of which nothing can be left out. */
        public static Purpose of(String... parts) {
            int digest = digest(parts);
            return new Purpose(digest, digest);
        }

        /** Things that differ a little never share it. */
        static int digest(String... parts) {
            var digest = new CRC32C();
            for (var part : parts) {
                var bytes = part.getBytes(StandardCharsets.UTF_8);
                digest.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
                digest.update(bytes);
            }
            return (int) digest.getValue();
        }
    }

    /** At the start of what is read for a purpose. */
    public static Continuation start(Purpose purpose, Instant now) {
        return new Continuation(purpose, now, 0, 0, new byte[0]);
    }

    /** The same, further on. */
    public Continuation at(long rowsGiven, int givenOfItem, byte[] lastKey) {
        return new Continuation(purpose, now, rowsGiven, givenOfItem, lastKey);
    }

    private int purposeServed() {
        return key.length == 0 && rows > 0 ? purpose.rows() : purpose.order();
    }

    public String encode() {
        var bytes = ByteBuffer.allocate(FIXED_BYTES + key.length)
                .put(FORMAT)
                .putInt(purposeServed())
                .putLong(now.getEpochSecond() * NANOS_PER_SECOND + now.getNano())
                .putLong(rows)
                .putInt(rowsOfItem)
                .put(key);
        bytes.putInt(checksum(bytes.array(), bytes.position()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    public static Continuation decode(String token, Purpose purpose) {
        if (token.length() > Limits.CONTINUATION_CHARACTERS_MAX) {
            throw refused();
        }
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
        long nanos = reader.getLong();
        long rows = reader.getLong();
        int rowsOfItem = reader.getInt();
        var key = new byte[bytes.length - FIXED_BYTES];
        reader.get(key);
        var now = Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
        var continuation = new Continuation(purpose, now, rows, rowsOfItem, key);
        if (reader.getInt() != checksum(bytes, bytes.length - 4) || storedPurpose != continuation.purposeServed()) {
            throw refused();
        }
        return continuation;
    }

    private static int checksum(byte[] bytes, int length) {
        var checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    static FailureException refused() {
        return new FailureException(new Failure.BadRequest(
                "Invalid Continuation Token: it is damaged or belongs to another request. Start again without it."));
    }
}
