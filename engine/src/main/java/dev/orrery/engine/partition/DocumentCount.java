package dev.orrery.engine.partition;

import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.WriterSlot;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Draws the counts of document numbers, each once; drafts draw theirs while the lane goes on. */
final class DocumentCount {
    private final AtomicLong last;
    private final Supplier<OptionalInt> slot;

    /** @param slot whose numbers to draw, where several regions write; else every number is drawn here */
    DocumentCount(long last, Supplier<OptionalInt> slot) {
        this.last = new AtomicLong(last);
        this.slot = slot;
    }

    long draw() {
        var mine = slot.get();
        return mine.isEmpty()
                ? last.incrementAndGet()
                : last.updateAndGet(count -> DocumentKey.nextCount(count, mine.getAsInt()));
    }

    /** Whether they are those of what several regions that write have in common. */
    boolean isOfSettledCopy() {
        return slot.get().equals(OptionalInt.of(WriterSlot.SETTLED));
    }

    /** Draws none any more up to one that was drawn elsewhere. */
    void pass(long count) {
        last.accumulateAndGet(count, Math::max);
    }

    long last() {
        return last.get();
    }
}
