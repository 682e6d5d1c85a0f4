package dev.orrery.engine.query;

import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.model.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** A page being filled: it is full at its number of rows, at its size, or when its time is over. */
public final class PageFill {
    private final int rowsMax;
    private final LongSupplier nanos;
    private final long endNanos;
    private final List<ByteBuffer> rows = new ArrayList<>();
    private long bytes;
    private long asked;

    public PageFill(Page page, LongSupplier nanos) {
        this.rowsMax = page.itemsMax().orElse(Limits.PAGE_ITEMS_DEFAULT);
        this.nanos = nanos;
        this.endNanos = nanos.getAsLong() + Limits.PAGE_MILLIS_MAX * 1_000_000L;
    }

    public int rowsMax() {
        return rowsMax;
    }

    public void add(ByteBuffer row) {
        rows.add(row);
        bytes += row.remaining();
    }

    public boolean isFull() {
        return rows.size() >= rowsMax || bytes >= Limits.PAGE_BYTES_MAX;
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
