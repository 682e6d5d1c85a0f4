package dev.orrery.engine.partition;

import dev.orrery.model.memory.MemoryBudget;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What lanes take of the memory that all requests share, for items that they find in the store: what a request brings was
 * counted when it came, but a delete brings nothing and may have three hundred thousand index entries to remove.
 */
final class WriteMemory {
    private static final int SHARE_OF_ITEM_MAX = 4;

    private final MemoryBudget memory;
    private final AtomicBoolean beyond = new AtomicBoolean();

    WriteMemory(MemoryBudget memory) {
        this.memory = memory;
    }

    /** What has been taken for one group or draft, until it is closed. */
    final class Hold implements AutoCloseable {
        private long taken;
        private boolean isBeyond;

        /** Takes some or refuses: a lane keeps others waiting, and so it cannot wait itself. */
        void take(long bytes) {
            long wanted = Math.min(bytes, memory.bytesMax() / SHARE_OF_ITEM_MAX);
            if (!memory.tryTake(wanted)) {
                // One may go beyond the budget, but only one: requests that wait for a lane must not starve it.
                if (isBeyond || !beyond.compareAndSet(false, true)) {
                    throw MemoryBudget.shortage();
                }
                isBeyond = true;
                memory.takeAnyway(wanted);
            }
            taken += wanted;
        }

        @Override
        public void close() {
            memory.giveBack(taken);
            taken = 0;
            if (isBeyond) {
                isBeyond = false;
                beyond.set(false);
            }
        }
    }

    Hold hold() {
        return new Hold();
    }
}
