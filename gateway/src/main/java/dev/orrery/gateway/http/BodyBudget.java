package dev.orrery.gateway.http;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that request bodies of all connections share, so that many large ones cannot exhaust the heap. */
final class BodyBudget {
    private final long bytesMax;
    private final AtomicLong bytesTaken = new AtomicLong();

    BodyBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    void take(int bytes) {
        if (bytesTaken.addAndGet(bytes) > bytesMax) {
            bytesTaken.addAndGet(-bytes);
            throw new RefusedRequestException(Refusal.TOO_MANY_BODIES);
        }
    }

    void giveBack(int bytes) {
        bytesTaken.addAndGet(-bytes);
    }

    long bytesTaken() {
        return bytesTaken.get();
    }
}
