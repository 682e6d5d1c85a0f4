package dev.orrery.engine.query;

import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.Position;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.sql.run.QueryRun;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Fills one page of one query from a scan, and tells where the next page begins. */
final class PageRun {
    private static final byte[] NO_KEY = {};

    private final ItemScan scan;
    private final Query query;
    private final QueryInputs inputs;
    private final PageFill page;
    private final long nowSecond;
    private long itemsRead;
    private long bytesRead;
    // Of a streaming query: the run, and the item it was given last.
    private QueryRun run;
    private byte[] lastKey = NO_KEY;
    private StoredItem lastItem;

    /** Needs the second that it is now, by which items expire; the query itself sees the time of its first page. */
    PageRun(ItemScan scan, Query query, QueryInputs inputs, PageFill page, long nowSecond) {
        this.scan = scan;
        this.query = query;
        this.inputs = inputs;
        this.page = page;
        this.nowSecond = nowSecond;
    }

    long itemsRead() {
        return itemsRead;
    }

    long bytesRead() {
        return bytesRead;
    }

    // ---- each item gives its rows on its own: the next page goes on with the item at which this one ended ----

    Optional<Continuation> streaming(Continuation start) {
        run = query.resume(inputs, new Position(start.rows(), start.rowsOfItem()), this::take);
        boolean ended = !run.wantsItems() || scan.walk(start.key(), nowSecond, (key, item) -> visit(start, key, item));
        if (isOver(ended)) {
            return Optional.empty();
        }
        var position = run.position();
        return Optional.of(start.at(position.rows(), (int) position.rowsOfItem(), lastKey));
    }

    private boolean visit(Continuation start, byte[] key, StoredItem item) {
        if (page.isFull() || page.isOverTime()) {
            return false;
        }
        if (lastItem == null && !Arrays.equals(key, start.key())) {
            // The item at which the last page ended is gone, and with it the rows it still owed.
            run = query.resume(inputs, new Position(start.rows(), 0), this::take);
        }
        lastKey = key;
        lastItem = item;
        count(item);
        run.add(item.text().asValue(), item.document());
        return page.isFull() || run.wantsItems();
    }

    private boolean isOver(boolean scanEnded) {
        if (!page.isFull()) {
            return scanEnded || !run.wantsItems();
        }
        // A full page says nothing about what it left: ask whether a run that goes on would find more.
        var found = new boolean[1];
        var next = query.resume(inputs, run.position(), row -> {
            found[0] = true;
            return false;
        });
        if (!next.wantsItems()) {
            return true;
        }
        if (scanEnded) {
            next.add(lastItem.text().asValue(), lastItem.document());
            return !found[0];
        }
        return false;
    }

    // ---- rows depend on all items: each page runs the query anew and leaves out what was given before ----

    Optional<Continuation> whole(Continuation from) {
        long given = from.rows();
        var seen = new long[1];
        var more = new boolean[1];
        // One more than the page can hold tells whether there is another page.
        var all = query.runFirst(given + page.rowsMax() + 1, inputs, row -> {
            if (seen[0]++ < given) {
                return true;
            }
            if (page.isFull()) {
                more[0] = true;
                return false;
            }
            take(row);
            return true;
        });
        if (query.readsItems()) {
            scan.walk(NO_KEY, nowSecond, (key, item) -> {
                count(item);
                return all.add(item.text().asValue(), item.document());
            });
        }
        all.finish();
        return more[0] ? Optional.of(from.at(given + page.rows().size(), 0, NO_KEY)) : Optional.empty();
    }

    // ---- both ----

    /** True while there is room for another row. */
    private boolean take(JsonValue row) {
        page.add(ByteBuffer.wrap(JsonWriter.bytes(row)));
        return !page.isFull();
    }

    private void count(StoredItem item) {
        itemsRead++;
        bytesRead += item.sizeBytes();
    }
}
