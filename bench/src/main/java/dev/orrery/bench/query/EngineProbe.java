package dev.orrery.bench.query;

import com.sun.management.ThreadMXBean;
import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.LocalEngine;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.sql.Query;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The engine within this process, on its store of one machine: what queries cost without a network. */
final class EngineProbe implements AutoCloseable {
    /** Reads, filters, sorts and cuts; with a parameter, as applications send them. */
    static final String TYPICAL = "SELECT c.id, c.name, c.price FROM c WHERE c.category = @category AND c.price > 10"
            + " ORDER BY c.price DESC OFFSET 0 LIMIT 20";

    static final String FILTER = "SELECT VALUE COUNT(1) FROM c WHERE c.quantity + 0 = 42";

    private static final int WRITES_AT_ONCE = 1000;
    private static final int PARSES = 20_000;

    private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final LocalEngine engine;
    private final Address container;

    EngineProbe(Path folder) {
        engine = LocalEngine.onDisk(folder);
        container = engine.container(
                "items", "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/customer\"],\"version\":2}}");
    }

    void load(int items) {
        var underWay = new ArrayList<CompletionStage<Outcome>>();
        for (int number = 0; number < items; number++) {
            var key = PartitionKey.parse("[\"" + QueryItem.customer(number / QueryItem.PER_CUSTOMER) + "\"]");
            var write = new ItemWrite.Create(utf8(QueryItem.json(number)), Precondition.NONE);
            underWay.add(engine.start(new Operation.WriteItem(container, Optional.of(key), write, Triggers.NONE)));
            if (underWay.size() == WRITES_AT_ONCE) {
                underWay.forEach(LocalEngine::demand);
                underWay.clear();
            }
        }
        underWay.forEach(LocalEngine::demand);
    }

    /** Processor time of reading and binding the typical query. */
    double parseMicros() {
        long before = thread.getCurrentThreadCpuTime();
        int length = 0;
        for (int round = 0; round < PARSES; round++) {
            length += Query.of(TYPICAL).text().length();
        }
        if (length != PARSES * TYPICAL.length()) {
            throw new IllegalStateException("a query forgot its text");
        }
        return (thread.getCurrentThreadCpuTime() - before) / 1e3 / PARSES;
    }

    /** Processor time of one filter scan over all items. */
    double scanSeconds() {
        var text = new QueryText(utf8("{\"query\":\"" + FILTER + "\"}"));
        var everywhere = new Scope(Optional.empty(), Optional.empty(), Optional.empty());
        long before = thread.getCurrentThreadCpuTime();
        var outcome = LocalEngine.demand(engine.start(new Operation.QueryItems(
                container,
                everywhere,
                text,
                new Page(Optional.empty(), Optional.empty()),
                Set.of(QueryWish.WHOLE_RESULT))));
        long nanos = thread.getCurrentThreadCpuTime() - before;
        if (!(outcome.answer() instanceof Answer.Feed feed) || feed.rows().size() != 1) {
            throw new BenchException("A scan of all items did not give its one row.");
        }
        return nanos / 1e9;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        engine.close();
    }
}
