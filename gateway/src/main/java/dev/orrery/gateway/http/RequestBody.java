package dev.orrery.gateway.http;

import dev.orrery.model.Limits;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Collects the body of one request after another, without trusting the length that was announced. */
final class RequestBody {
    private static final byte[] EMPTY = {};
    // More than this is only set aside once it has arrived: an announcement costs a client nothing.
    private static final int FIRST_BYTES_MAX = 64 * 1024;

    private final BodyBudget budget;
    private final int bytesMax;
    private byte[] bytes = EMPTY;
    private int length;
    private int taken;
    private int announced;

    RequestBody(BodyBudget budget, int bytesMax) {
        this.budget = budget;
        this.bytesMax = bytesMax;
    }

    /** Starts a body of the length in the request's head, or of an unknown one (-1). */
    void begin(long contentLength) {
        if (contentLength > bytesMax) {
            throw new RefusedRequestException(Refusal.BODY_TOO_LARGE);
        }
        announced = (int) contentLength;
    }

    void append(ByteBuf chunk) {
        var chunkLength = chunk.readableBytes();
        if (chunkLength == 0) {
            return;
        }
        if (chunkLength > bytesMax - length) {
            throw new RefusedRequestException(Refusal.BODY_TOO_LARGE);
        }
        if (chunkLength > bytes.length - length) {
            grow(length + chunkLength);
        }
        chunk.readBytes(bytes, length, chunkLength);
        length += chunkLength;
    }

    private void grow(int needed) {
        var capacity = capacityFor(needed);
        // Small ones go on while large ones take all there is; a connection has one at a time.
        int counted = capacity <= Limits.MEMORY_BODY_BYTES_FREE ? 0 : capacity;
        budget.take(counted - taken);
        taken = counted;
        bytes = Arrays.copyOf(bytes, capacity);
    }

    private int capacityFor(int needed) {
        var doubled = Math.max(needed, 2 * bytes.length);
        if (announced >= needed) {
            return Math.min(announced, Math.max(doubled, FIRST_BYTES_MAX));
        }
        // Of unknown length; often the first chunk is already everything.
        return length == 0 ? needed : Math.min(bytesMax, doubled);
    }

    /** The collected bytes, which stay counted until {@link #release}. */
    byte[] finish() {
        var body = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        bytes = EMPTY;
        length = 0;
        return body;
    }

    /** Forgets the body, finished or not. */
    void release() {
        bytes = EMPTY;
        length = 0;
        if (taken > 0) {
            budget.giveBack(taken);
            taken = 0;
        }
    }
}
