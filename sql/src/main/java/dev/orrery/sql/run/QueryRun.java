package dev.orrery.sql.run;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundStatement;
import dev.orrery.sql.memory.Workspace;
import java.util.Optional;

/**
 * One run of a query: items go in one by one, rows come out, some at once and the rest at the end.
 *
 * <p>Not for use by several threads at a time.
 */
public final class QueryRun {
    private final BoundStatement statement;
    private final Pipeline pipeline;
    private final Workspace workspace;

    public QueryRun(BoundStatement statement, QueryInputs inputs, RunStart start, RowSink sink) {
        this.statement = statement;
        var frame = new Frame(statement, inputs);
        workspace = frame.workspace();
        pipeline = new Pipeline(statement.query(), frame, sink, start);
    }

    /** Whether another item could change the result: false once TOP or LIMIT is reached or the sink has had enough. */
    public boolean wantsItems() {
        return statement.query().readsItems() && pipeline.hungry();
    }

    /**
     * Adds an item and passes on the rows that follow from it.
     *
     * @param documentNumber the number in its {@code _rid}, which orders items that ORDER BY finds equal
     * @return {@link #wantsItems}
     */
    public boolean add(JsonValue item, long documentNumber) {
        return pipeline.feed(item, documentNumber);
    }

    /**
     * Adds an item that stands for several which the query cannot tell apart.
     *
     * @return {@link #wantsItems}
     */
    public boolean add(JsonValue item, long documentNumber, long times) {
        return pipeline.feed(item, documentNumber, times);
    }

    /** After the last item of a range; not needed behind the last one. */
    public void endRange() {
        pipeline.endRange();
    }

    /** After the last item: passes on the rows that only all items together give. */
    public void finish() {
        if (statement.query().readsItems()) {
            pipeline.finish();
        } else {
            pipeline.run();
        }
        workspace.end();
    }

    /** How many rows OFFSET skips. */
    public long offset() {
        return pipeline.offset();
    }

    /** After how many rows it ends at the latest, those that OFFSET skips included. */
    public long rowsMax() {
        return pipeline.rowsMax();
    }

    /** The row that the sink was given last, of a run that sorts. */
    public Optional<SortPosition> sortPosition() {
        return pipeline.sortPosition();
    }

    /** Says that the sink had no room for the row that it was given last: it comes first when the query is resumed. */
    public void putBack() {
        pipeline.putBack();
    }

    /** Where to resume a streaming query after the row that the sink was given last. */
    public Position position() {
        return pipeline.position();
    }
}
