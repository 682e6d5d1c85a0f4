package dev.orrery.sql.run;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import java.util.function.LongConsumer;

/**
 * Bounds what is computed of one item where nobody may wait for it for long: within a lane, or again and again. It counts
 * steps, not time, and sizes as they are in the item, not as far as somebody has looked into it: the same item passes or
 * does not on every machine, at every time. For one evaluation, or for several that share the bounds.
 */
public final class ItemBounds implements Checkpoint {
    private static final long STEP_BYTES = 1 << 20;

    private final LongConsumer memory;
    private long steps;
    private long bytes;
    private long taken;

    /** @param memory told of more bytes to be taken from what all requests share; nothing is given back */
    public ItemBounds(LongConsumer memory) {
        this.memory = memory;
    }

    /** For what is so small or so rare that its memory need not be counted. */
    public static ItemBounds uncounted() {
        return new ItemBounds(_ -> {});
    }

    @Override
    public boolean countsSteps() {
        return true;
    }

    @Override
    public void pass() {
        work(1);
    }

    @Override
    public void work(long more) {
        steps += more;
        if (steps > Limits.ITEM_STEPS_MAX) {
            throw refused("takes more than " + Limits.ITEM_STEPS_MAX + " steps");
        }
    }

    @Override
    public void keep(long more) {
        bytes += more;
        if (more <= 0) {
            return;
        }
        if (bytes > Limits.ITEM_VALUES_BYTES_MAX) {
            throw refused("needs more than " + Limits.ITEM_VALUES_BYTES_MAX / STEP_BYTES
                    + " MB of memory for the values that it makes");
        }
        long missing = bytes - Limits.MEMORY_QUERY_BYTES_FREE - taken;
        if (missing > 0) {
            long step = (missing + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
            memory.accept(step);
            taken += step;
        }
    }

    private static FailureException refused(String reason) {
        return new FailureException(new Failure.BadRequest(
                "What is computed of a single item " + reason + ". Use fewer or smaller arrays and texts in it."));
    }
}
