package dev.orrery.bench.charges;

import dev.orrery.engine.budget.Work;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Published charges besides those of the blogging platform, with the work that they are said to be for. */
final class PublishedCharges {
    private static final int KIB = 1024;
    private static final double[] READS = {1.00, 1.04, 1.14, 1.33, 1.67, 2.19, 4.76, 9.95, 20.28, 40.95, 145.90, 291.80
    };
    private static final double[] WRITES = {4.95, 6.29, 6.67, 7.04, 9.52, 11.23, 22.67, 48.19, 98.29, 184.57, 625, 1250
    };

    /** Where nothing is said of how long values are. */
    private static final long VALUE_BYTES = 12;

    /** @param year when the figure was published */
    record Figure(String what, int year, double reference, Work work, Caller caller) {}

    private final List<Figure> figures = new ArrayList<>();

    static List<Figure> all() {
        var published = new PublishedCharges();
        published.sizes();
        published.writes();
        published.queries();
        return published.figures;
    }

    private void sizes() {
        for (int i = 0; i < READS.length; i++) {
            long bytes = (long) KIB << i;
            add("read of " + (1 << i) + " KB", 2026, READS[i], new Work().add(Effort.ITEM_READ, 1, bytes));
        }
        for (int i = 0; i < WRITES.length; i++) {
            long bytes = (long) KIB << i;
            add("create of " + (1 << i) + " KB, nothing indexed", 2026, WRITES[i], created(bytes, 0));
        }
        var strong = Caller.owner().on(ConsistencyLevel.STRONG, Optional.empty());
        figures.add(new Figure(
                "read of 1 KB, strong consistency", 2026, 2, new Work().add(Effort.ITEM_READ, 1, KIB), strong));
        add("read of 100 KB", 2018, 10, new Work().add(Effort.ITEM_READ, 1, 100 * KIB));
        add("create of 100 KB, nothing indexed", 2018, 50, created(100 * KIB, 0));
    }

    private void writes() {
        add("create of 1 KB, 10 terms", 2026, 7, created(KIB, 10));
        add("replace of 1 KB, 2 terms changed", 2026, 10.8, replaced(2));
        add("patch of 1 KB, 2 terms in 2 steps", 2026, 11.6, replaced(2).add(Effort.PATCH_STEPS, 2));
        add(
                "delete of 1 KB, 10 terms",
                2026,
                7,
                new Work().add(Effort.ITEM_DELETED, 1, KIB).add(Effort.TERMS_REMOVED, 10, 10 * VALUE_BYTES));
        add("create of 1 KB, fewer than 5 properties", 2020, 5, created(KIB, 4));
        add("update of 1 KB, fewer than 5 properties", 2020, 10, replaced(1));
        add("create of 1 KB, 25 properties (nutrition data)", 2018, 15, created(KIB, 25));
    }

    private void queries() {
        add("query for one item by its id (nutrition data)", 2018, 2.5, found(1, KIB));
        add("query with 7 results of 1 KB (nutrition data)", 2018, 7, found(7, KIB));
        add("query with 10 results of 1 KB (nutrition data)", 2018, 10, found(10, KIB));
        add("query with 100 results of 1 KB (nutrition data)", 2018, 70, found(100, KIB));
        add("query with up to 100 results", 2020, 10, found(50, KIB));
        add("query for one item of 9,963 bytes", 2020, 3.19, found(1, 9_963));
        add(
                "scan of 60,951 items of 400 MB without a result",
                2020,
                4_059.95,
                new Work().add(Effort.RANGES_PROBED, 1).add(Effort.ITEMS_LOADED, 60_951, 400L * KIB * KIB));
    }

    private static Work created(long bytes, int terms) {
        return new Work().add(Effort.ITEM_CREATED, 1, bytes).add(Effort.TERMS_WRITTEN, terms, terms * VALUE_BYTES);
    }

    private static Work replaced(int terms) {
        return new Work()
                .add(Effort.VERSIONS_REPLACED, 2, 2 * KIB)
                .add(Effort.TERMS_WRITTEN, terms, terms * VALUE_BYTES)
                .add(Effort.TERMS_REMOVED, terms, terms * VALUE_BYTES);
    }

    private static Work found(int items, long bytes) {
        return new Work()
                .add(Effort.RANGES_PROBED, 1)
                .add(Effort.INDEX_KEYS, items)
                .add(Effort.ITEMS_LOADED, items, items * bytes)
                .add(Effort.RESULT, items, items * bytes);
    }

    private void add(String what, int year, double reference, Work work) {
        figures.add(new Figure(what, year, reference, work, Caller.owner()));
    }
}
