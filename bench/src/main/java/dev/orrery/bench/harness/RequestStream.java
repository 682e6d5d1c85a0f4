package dev.orrery.bench.harness;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The endless requests of one connection.
 *
 * <p>Signed once a second, as the date in them says, and not once a request: otherwise much of what is measured would be
 * the arithmetic of the load generator, which shares the processors with the server.
 */
public final class RequestStream {
    /** Stands where ids go until they are known; as long as they are. */
    private static final String PLACEHOLDER = "~".repeat(16);

    private static final long SIGNED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Requests requests;
    private final RequestKind operation;
    private final AtomicLong numbers;
    private final String readId;
    private byte[] bytes;
    private int[] idPositions = {};
    private long signedAtNanos;

    /**
     * @param numbers where the ids of new items come from; shared by all connections, so that no two are the same
     * @param readNumber the item to read
     */
    public RequestStream(Requests requests, RequestKind operation, AtomicLong numbers, long readNumber) {
        this.requests = requests;
        this.operation = operation;
        this.numbers = numbers;
        this.readId = SampleItem.id(readNumber);
    }

    /** The next request; good until the next call. */
    public byte[] next() {
        long now = System.nanoTime();
        if (bytes == null || now - signedAtNanos > SIGNED_NANOS) {
            sign();
            signedAtNanos = now;
        }
        if (idPositions.length > 0) {
            long number = numbers.getAndIncrement();
            for (int position : idPositions) {
                SampleItem.writeId(number, bytes, position);
            }
        }
        return bytes;
    }

    private void sign() {
        switch (operation) {
            case READ -> bytes = requests.read(readId);
            case QUERY -> bytes = requests.query(readId);
            case CREATE -> {
                bytes = requests.create(PLACEHOLDER);
                idPositions = positions(new String(bytes, StandardCharsets.US_ASCII));
            }
        }
    }

    private static int[] positions(String request) {
        var found = new int[2];
        int count = 0;
        for (int at = request.indexOf(PLACEHOLDER); at >= 0; at = request.indexOf(PLACEHOLDER, at + 1)) {
            found[count++] = at;
        }
        return Arrays.copyOf(found, count);
    }
}
