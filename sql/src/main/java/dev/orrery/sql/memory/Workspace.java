package dev.orrery.sql.memory;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import java.util.function.LongConsumer;

/**
 * Counts the memory that a running query takes: what it keeps for later, and what it builds on the way, which is gone when
 * the tuple is done. A short query over a small item can make more than any machine has. For one thread.
 */
public final class Workspace {
    private static final long STEP_BYTES = 4 << 10;

    /** So many bytes are made, or characters compared, in the time of one step. */
    private static final int STEP_UNITS = 16;

    private final LongConsumer limit;
    private final boolean countsWork;
    private final LongConsumer work;
    private JsonValue item = JsonValue.UNDEFINED;
    private long kept;
    private long built;
    private long builtMost;

    /** @param limit told how many more bytes there are from now on, fewer when negative; throws when these are too many */
    public Workspace(LongConsumer limit) {
        this(limit, false, _ -> {});
    }

    /**
     * @param limit as above
     * @param work told of work that takes long, where it can be broken off; throws when there is no time left
     */
    public Workspace(LongConsumer limit, LongConsumer work) {
        this(limit, false, work);
    }

    private Workspace(LongConsumer limit, boolean countsWork, LongConsumer work) {
        this.limit = limit;
        this.countsWork = countsWork;
        this.work = work;
    }

    /**
     * One that also counts work, and sizes that do not depend on what has been looked into before.
     *
     * @param work told of steps; throws when these are too many
     */
    public static Workspace counting(LongConsumer limit, LongConsumer work) {
        return new Workspace(limit, true, work);
    }

    // ---- what is done ----

    /** Counts that values are looked at. */
    public void look(JsonValue value) {
        if (countsWork) {
            work.accept(1 + JsonSize.length(value) / STEP_UNITS);
        }
    }

    /** Counts that every part of one thing may meet every part of another, and refuses what nothing could break off. */
    public void meet(long length, long other) {
        if (countsWork) {
            work.accept(1 + length * other / STEP_UNITS);
        } else if (length * other > Limits.QUERY_SEARCH_STEPS_MAX) {
            throw new FailureException(new Failure.BadRequest("To search a text of " + length
                    + " characters for a text or pattern as long as this one takes too long."));
        }
    }

    /** Between two steps of something that may have any number of them. */
    public void goOn(long length) {
        work.accept(1 + length / STEP_UNITS);
    }

    public boolean countsWork() {
        return countsWork;
    }

    /** From now on, values may be parts of this item. */
    public void enter(JsonValue current) {
        item = current;
    }

    // ---- what is under way ----

    /** How much has been built so far, for {@link #drop}. */
    public long mark() {
        return built;
    }

    /** Forgets what was built since: nobody has it any more, or whoever has it counts it. */
    public void drop(long mark) {
        built = mark;
    }

    /** Counts what is about to be made. */
    public void build(long bytes) {
        if (countsWork) {
            work.accept(1 + bytes / STEP_UNITS);
        }
        built += bytes;
        if (built > builtMost) {
            // The most there ever was stays counted, so that a long scan does not go up and down with each item.
            long more = (built - builtMost + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
            limit.accept(more);
            builtMost += more;
        }
    }

    /** Counts a value that has been made, or that is mentioned once more. */
    public JsonValue mention(JsonValue value) {
        build(size(value));
        return value;
    }

    /** Counts what looking inside a value will make of it. */
    public void unfold(JsonValue value) {
        if (countsWork) {
            look(value);
            build(JsonSize.unfoldingBeside(item, value));
        } else if (value instanceof JsonValue.Arr || value instanceof JsonValue.Obj) {
            build(JsonSize.unfolding(value));
        }
    }

    /** What a value takes while the item is there. */
    public long size(JsonValue value) {
        return countsWork ? JsonSize.foldedBeside(item, value) : JsonSize.beside(item, value);
    }

    // ---- what is kept for later ----

    public void keep(long bytes) {
        kept += bytes;
        limit.accept(bytes);
    }

    /** How much is kept, for {@link #forget}. */
    public long kept() {
        return kept;
    }

    /** Lets go of all that was kept since. */
    public void forget(long keptBefore) {
        if (kept != keptBefore) {
            keep(keptBefore - kept);
        }
    }

    /** Lets go of everything but what caches hold. */
    public void end() {
        forget(0);
        limit.accept(-builtMost);
        built = 0;
        builtMost = 0;
    }

    // ---- what is kept because it may be of use again ----

    /** What a cache holds; the most that it ever did stays counted. */
    public final class Shelf {
        private long held;
        private long heldMost;

        public void add(long bytes) {
            held += bytes;
            if (held > heldMost) {
                limit.accept(held - heldMost);
                heldMost = held;
            }
        }

        public void remove(long bytes) {
            held -= bytes;
        }

        public long held() {
            return held;
        }
    }

    public Shelf shelf() {
        return new Shelf();
    }
}
