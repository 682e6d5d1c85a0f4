package dev.orrery.engine.query;

import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.run.Checkpoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** A page being filled: it is full at its number of rows, at its size, or when its time is over. */
public final class PageFill {
    private static final int ROW_BYTES = 96;
    private static final int WRITER_SPARE = 64;

    private final int rowsMax;
    private final LongSupplier nanos;
    private final long endNanos;
    private final Checkpoint memory;
    private final JsonWriter writer = new JsonWriter(this::grow);
    private final List<ByteBuffer> rows = new ArrayList<>();
    private long bytes;
    private long asked;
    private boolean closed;

    /** @param memory told what the page takes */
    public PageFill(Page page, LongSupplier nanos, Checkpoint memory) {
        this.rowsMax = page.itemsMax().orElse(Limits.PAGE_ITEMS_DEFAULT);
        this.nanos = nanos;
        this.endNanos = nanos.getAsLong() + Limits.PAGE_MILLIS_MAX * 1_000_000L;
        this.memory = memory;
    }

    public int rowsMax() {
        return rowsMax;
    }

    /** Takes a row, or, when there is no room for it, nothing more. */
    public boolean add(JsonValue row) {
        writer.reset().value(row);
        return hasRoomFor(writer.size()) && put(ByteBuffer.wrap(writer.toBytes()));
    }

    /** Takes a row, or, when there is no room for it, nothing more. */
    public boolean add(ByteBuffer row) {
        return hasRoomFor(row.remaining()) && put(row);
    }

    /** Takes a row that belongs to the one before, whether there is room for it or not. */
    public void addBeyond(ByteBuffer row) {
        put(row);
    }

    private boolean hasRoomFor(int size) {
        if (size > Limits.PAGE_BYTES_MAX) {
            throw tooLarge();
        }
        closed |= bytes + size > Limits.PAGE_BYTES_MAX;
        return !closed;
    }

    private boolean put(ByteBuffer row) {
        // It is here, and will be in the reply.
        memory.keep(ROW_BYTES + 2L * row.remaining());
        rows.add(row);
        bytes += row.remaining();
        return true;
    }

    /** What is written is refused as soon as it is too large, not when all of it is there. */
    private void grow(int needed, int capacity) {
        if (needed > Limits.PAGE_BYTES_MAX + WRITER_SPARE) {
            throw tooLarge();
        }
        memory.keep(capacity); // Those that were too small are not taken off: each is there while the next is filled.
    }

    private static FailureException tooLarge() {
        return new FailureException(new Failure.BadRequest("A row of the result is larger than "
                + Limits.PAGE_BYTES_MAX / (1024 * 1024)
                + " MB, which is all that a page can have. Select less of each item, or join fewer arrays."));
    }

    public boolean isFull() {
        return closed || rows.size() >= rowsMax || bytes >= Limits.PAGE_BYTES_MAX;
    }

    /** Asked before each item, so that a page that finds nothing ends too; never true for the first. */
    public boolean isOverTime() {
        return asked++ > 0 && nanos.getAsLong() > endNanos;
    }

    public List<ByteBuffer> rows() {
        return rows;
    }

    public long bytes() {
        return bytes;
    }
}
