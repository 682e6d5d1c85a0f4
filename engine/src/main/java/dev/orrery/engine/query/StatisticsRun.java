package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.sql.run.QueryRun;
import java.util.ArrayList;

/** Finds out what has to be known about all items of a container before its texts can be scored. */
final class StatisticsRun {
    private static final byte[] NO_KEY = {};

    private long itemsRead;
    private long bytesRead;

    JsonValue row(Container container, Query statistics, QueryInputs inputs, ItemScan everything, long nowSecond) {
        var covered = new CoveredRows(container, statistics, Condition.ANYTHING, inputs.checkpoint());
        return everything
                .parts()
                .flatMap(parts -> covered.figures(parts, inputs))
                .orElseGet(() -> counted(statistics, inputs, everything, nowSecond));
    }

    private JsonValue counted(Query statistics, QueryInputs inputs, ItemScan everything, long nowSecond) {
        var rows = new ArrayList<JsonValue>();
        var run = statistics.run(inputs, rows::add);
        everything.walk(NO_KEY, nowSecond, ItemScan.Visitor.ofItems(item -> add(item, run)));
        run.finish();
        return rows.getFirst();
    }

    private boolean add(StoredItem item, QueryRun run) {
        itemsRead++;
        bytesRead += item.sizeBytes();
        return run.add(item.text().asValue(), item.document());
    }

    long itemsRead() {
        return itemsRead;
    }

    long bytesRead() {
        return bytesRead;
    }
}
