package dev.orrery.engine.query;

import dev.orrery.engine.index.SortIndex;
import dev.orrery.engine.index.SortedDocuments.NotServedException;
import dev.orrery.engine.index.SortedDocuments.Sorted;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.Position;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.sql.run.QueryRun;
import dev.orrery.sql.run.RowSink;
import dev.orrery.sql.run.SortPosition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;

/** Fills one page of one query from a scan, and tells where the next page begins. */
final class PageRun {
    private static final byte[] NO_KEY = {};

    /** Items that an index order may load and the query leave out before all are rather read and sorted. */
    private static final long LOADS_MIN = 1_000;

    private static final int RANKED_ROW_BYTES = 16;

    /** Items behind a full page that are looked at for another row, however long that takes, and at most. */
    private static final int PASSED_MIN = 128;

    private static final int PASSED_MAX = 1_000;

    private final ItemScan scan;
    private final CoveredRows covered;
    private final Query query;
    private final QueryInputs inputs;
    private final PageFill page;
    private final long nowSecond;
    private long itemsRead;
    private long bytesRead;
    // Of a query that gives its rows item by item: the run, and the item it was given last.
    private QueryRun run;
    private byte[] lastKey = NO_KEY;
    private StoredItem lastItem;
    private Sorted lastSorted;
    // Of a full page: what comes behind it, and whether a row does.
    private Beyond beyond;
    private boolean anotherRow;

    /** Needs the second that it is now, by which items expire; the query itself sees the time of its first page. */
    PageRun(ItemScan scan, CoveredRows covered, Query query, QueryInputs inputs, PageFill page, long nowSecond) {
        this.scan = scan;
        this.covered = covered;
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
        return Optional.of(start.at(run.position().rows(), (int) rowsOfLastItem(), lastKey));
    }

    private boolean visit(Continuation start, byte[] key, StoredItem item) {
        if (beyond != null) {
            if (beyond.isPassed(item)) {
                lastKey = key;
            }
            return beyond.isOpen();
        }
        if (page.isOverTime()) {
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
        if (page.isFull()) {
            beyond = new Beyond(query.resume(inputs, run.position(), ofBeyond()));
            return beyond.isOpen();
        }
        return run.wantsItems();
    }

    private boolean isOver(boolean scanEnded) {
        return beyond == null ? scanEnded || !run.wantsItems() : beyond.isEmpty(scanEnded);
    }

    /** How many rows of the item that the next page begins with have been given. */
    private long rowsOfLastItem() {
        return beyond != null && beyond.items > 0 ? 0 : run.position().rowsOfItem();
    }

    private RowSink ofBeyond() {
        return _ -> {
            anotherRow = true;
            return false;
        };
    }

    /**
     * What follows a full page. SDKs take a token for a promise: that of the last page leads the JavaScript SDK astray, which
     * keeps the token it had when an empty page follows. What is passed over here is paid here, and not read again.
     */
    private final class Beyond {
        private final QueryRun next;
        private long items;
        private long bytes;

        /** @param next goes on where the page ended */
        Beyond(QueryRun next) {
            this.next = next;
            add(lastItem);
        }

        private void add(StoredItem item) {
            if (next.wantsItems()) {
                next.add(item.text().asValue(), item.document());
            }
        }

        /** Whether an item has no row for the next page. */
        boolean isPassed(StoredItem item) {
            add(item);
            if (anotherRow) {
                return false;
            }
            items++;
            bytes += item.sizeBytes();
            count(item);
            return true;
        }

        /** Whether it takes another item to tell, and it is not too many. */
        boolean isOpen() {
            return !anotherRow
                    && next.wantsItems()
                    && (items < PASSED_MIN
                            || (items < PASSED_MAX && bytes < Limits.PAGE_BYTES_MAX && !page.isOverTime()));
        }

        boolean isEmpty(boolean scanEnded) {
            return !anotherRow && (scanEnded || !next.wantsItems());
        }
    }

    // ---- ORDER BY: the next page goes on behind the row at which this one ended, whichever way each is found ----

    /** @param index whose order is that of the query */
    Optional<Continuation> sorted(Continuation start, Optional<SortIndex> index) {
        if (start.rows() > 0 && start.key().length == 0) {
            return whole(start);
        }
        var after = start.key().length == 0
                ? Optional.<SortPosition>empty()
                : Optional.of(SortToken.decode(start.key(), start.rowsOfItem()));
        long rowsWanted = Math.min(page.rowsMax(), query.rowsMax(inputs) - start.rows());
        var scanned = index.filter(some -> !scan.isSoonerSorted(some, rowsWanted))
                .flatMap(some -> scan.sorted(some, after.map(PageRun::sorted)));
        return scanned.isPresent() ? inIndexOrder(start, after, scanned.get()) : sortAll(start, start.rows(), after);
    }

    private static Sorted sorted(SortPosition position) {
        return new Sorted(position.values(), position.documentNumber(), NO_KEY);
    }

    private Optional<Continuation> inIndexOrder(
            Continuation start, Optional<SortPosition> after, SortedScan documents) {
        run = query.runPresorted(inputs, new Position(start.rows(), 0), this::take);
        boolean ended = false;
        try (documents) {
            long loadsMax = LOADS_MIN + scan.itemsOfRanges() * IndexChoice.SCAN_COST / IndexChoice.LOAD_COST;
            while (run.wantsItems() && !page.isFull() && !page.isOverTime()) {
                if (!documents.next()) {
                    ended = true;
                    break;
                }
                if (documents.isPoor() || itemsRead - page.rows().size() > loadsMax) {
                    return sortRest(start, after);
                }
                visit(documents, after);
            }
            if (page.isFull()) {
                ended = passOver(documents);
            }
        } catch (NotServedException _) {
            return page.isFull() ? Optional.of(next(start, position(after))) : sortRest(start, after);
        }
        return isOver(ended) ? Optional.empty() : Optional.of(next(start, position(after)));
    }

    /** Whether no document follows that could have a row. */
    private boolean passOver(SortedScan documents) {
        beyond = new Beyond(query.runPresorted(inputs, run.position(), ofBeyond()));
        while (beyond.isOpen() && !documents.isPoor()) {
            if (!documents.next()) {
                return true;
            }
            var item = StoredItem.decode(documents.value());
            if (!scan.isPassedOver(item, nowSecond)) {
                if (beyond.isPassed(item)) {
                    lastSorted = documents.current();
                } else {
                    documents.putBack();
                }
            }
        }
        return false;
    }

    private void visit(SortedScan documents, Optional<SortPosition> after) {
        var document = documents.current();
        if (after.isPresent() && isBefore(document, after.get(), documents)) {
            return;
        }
        var item = StoredItem.decode(documents.value());
        if (scan.isPassedOver(item, nowSecond)) {
            return;
        }
        if (lastItem == null && after.isPresent() && isAt(document, after.get())) {
            // The rows of this item that were on the last page.
            var position = new Position(run.position().rows(), after.get().rowsOfItem());
            run = query.runPresorted(inputs, position, this::take);
        }
        lastSorted = document;
        lastItem = item;
        count(item);
        run.add(item.text().asValue(), item.document());
    }

    private static boolean isAt(Sorted document, SortPosition position) {
        return document.number() == position.documentNumber()
                && document.values().equals(position.values());
    }

    private static boolean isBefore(Sorted document, SortPosition position, SortedScan documents) {
        return documents.compare(document, sorted(position)) < 0;
    }

    /** The row that the page ends with, or the one before it when there is none yet. */
    private Optional<SortPosition> position(Optional<SortPosition> after) {
        return lastSorted == null
                ? after
                : Optional.of(new SortPosition(lastSorted.values(), lastSorted.number(), rowsOfLastItem()));
    }

    private Optional<Continuation> sortRest(Continuation start, Optional<SortPosition> after) {
        return sortAll(start, run.position().rows(), position(after));
    }

    /** Reads all items and sorts what is behind a row. */
    private Optional<Continuation> sortAll(Continuation start, long rows, Optional<SortPosition> after) {
        var last = new SortPosition[] {after.orElse(null)};
        var more = new boolean[1];
        // One more than the page can hold tells whether there is another page.
        run = query.runAfter(after, rows, page.rowsMax() - page.rows().size() + 1L, inputs, row -> {
            if (page.isFull()) {
                more[0] = true;
                return false;
            }
            if (!page.add(row)) {
                more[0] = true;
                return false;
            }
            last[0] = run.sortPosition().orElseThrow();
            return true;
        });
        feedAll();
        return more[0] ? Optional.of(next(start, Optional.of(last[0]))) : Optional.empty();
    }

    private Continuation next(Continuation start, Optional<SortPosition> position) {
        if (position.isEmpty()) {
            return start;
        }
        int given = page.rows().size();
        long passed = given == 0 ? run.position().rows() : Math.max(start.rows(), run.offset()) + given;
        return SortToken.encode(position.get())
                .map(key -> start.at(passed, (int) position.get().rowsOfItem(), key))
                // What is too long for a token is counted instead.
                .orElseGet(() -> start.at(Math.max(0, passed - run.offset()), 0, NO_KEY));
    }

    // ---- rows depend on all items: each page runs the query anew and leaves out what was given before ----

    Optional<Continuation> whole(Continuation from) {
        long given = from.rows();
        var seen = new long[1];
        var more = new boolean[1];
        // One more than the page can hold tells whether there is another page.
        long rowsMax = given + page.rowsMax() + 1;
        RowSink sink = row -> {
            if (seen[0]++ < given) {
                return true;
            }
            if (page.isFull() || !page.add(row)) {
                more[0] = true;
                return false;
            }
            return true;
        };
        if (!isCovered(rowsMax, sink) && !isRankedByIndex(rowsMax, sink)) {
            run = query.runFirst(rowsMax, inputs, sink);
            feedAll();
        }
        return more[0] ? Optional.of(from.at(given + page.rows().size(), 0, NO_KEY)) : Optional.empty();
    }

    /** Answers from the index alone. */
    private boolean isCovered(long rowsMax, RowSink sink) {
        var figures = scan.parts().flatMap(parts -> covered.figures(parts, inputs));
        if (figures.isPresent()) {
            scan.answeredByIndex(covered.entriesRead());
            sink.accept(figures.get());
            return true;
        }
        var answered = scan.parts().flatMap(parts -> covered.run(parts, rowsMax, inputs, sink));
        answered.ifPresent(answer -> {
            scan.answeredByIndex(covered.entriesRead());
            answer.finish();
        });
        return answered.isPresent();
    }

    /** Ranks the items with one of the terms; those without come behind them, and are not needed if these are enough. */
    private boolean isRankedByIndex(long rowsMax, RowSink sink) {
        var first = query.rankedFirst(inputs);
        if (first.isEmpty()) {
            return false;
        }
        var rows = new ArrayList<JsonValue>();
        run = query.runFirst(rowsMax, inputs, row -> {
            inputs.checkpoint().keep(RANKED_ROW_BYTES + JsonSize.of(row));
            return rows.add(row);
        });
        boolean found = scan.walkExactly(first.get(), nowSecond, items());
        run.finish();
        if (!found || run.offset() + rows.size() < run.rowsMax()) {
            return false;
        }
        for (var row : rows) {
            if (!sink.accept(row)) {
                break;
            }
        }
        return true;
    }

    private boolean feed(StoredItem item) {
        count(item);
        return run.add(item.text().asValue(), item.document());
    }

    private void feedAll() {
        if (query.readsItems()) {
            scan.walk(NO_KEY, nowSecond, items());
        }
        run.finish();
    }

    private ItemScan.Visitor items() {
        return ItemScan.Visitor.ofItems(this::feed, run::endRange);
    }

    // ---- all ----

    /** True while there is room for another row. */
    private boolean take(JsonValue row) {
        if (!page.add(row)) {
            run.putBack();
        }
        return !page.isFull();
    }

    private void count(StoredItem item) {
        itemsRead++;
        bytesRead += item.sizeBytes();
    }
}
