package dev.orrery.gateway.http;

import dev.orrery.model.memory.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that request bodies of all connections share, so that many large ones cannot exhaust the heap: at most a part
 * of what there is for all requests.
 */
final class BodyBudget {
    private final long bytesMax;
    private final MemoryBudget memory;
    private final AtomicLong bytesTaken = new AtomicLong();

    BodyBudget(long bytesMax, MemoryBudget memory) {
        this.bytesMax = bytesMax;
        this.memory = memory;
    }

    void take(int bytes) {
        if (bytesTaken.addAndGet(bytes) > bytesMax || !memory.tryTake(bytes)) {
            bytesTaken.addAndGet(-bytes);
            throw new RefusedRequestException(Refusal.TOO_MUCH_AT_ONCE);
        }
    }

    void giveBack(int bytes) {
        memory.giveBack(bytes);
        bytesTaken.addAndGet(-bytes);
    }

    long bytesTaken() {
        return bytesTaken.get();
    }
}
