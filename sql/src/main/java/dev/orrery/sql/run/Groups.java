package dev.orrery.sql.run;

import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundQuery.AggregateCall;
import dev.orrery.sql.bind.BoundQuery.Grouping;
import dev.orrery.sql.function.Aggregate.Accumulator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Folds tuples into groups, which come out in the order in which they were first met. */
final class Groups {
    private static final int GROUP_BYTES = 192;
    private static final int AGGREGATE_BYTES = 80;

    private final Grouping grouping;
    private final Frame frame;
    private final Map<List<JsonValue>, List<Accumulator>> groups = new LinkedHashMap<>();

    Groups(Grouping grouping, Frame frame) {
        this.grouping = grouping;
        this.frame = frame;
        if (grouping.keys().isEmpty()) {
            // Without GROUP BY all tuples make one group, even if there are none.
            groups.put(List.of(), start());
        }
    }

    private List<Accumulator> start() {
        return grouping.aggregates().stream()
                .map(call -> call.aggregate().start())
                .toList();
    }

    /** Adds the tuple in the frame to its group, as often as it is there. */
    void add(long times) {
        var workspace = frame.workspace();
        var key = new ArrayList<JsonValue>(grouping.keys().size());
        for (var part : grouping.keys()) {
            var value = Evaluator.evaluate(part.value(), frame);
            workspace.unfold(value);
            key.add(value);
        }
        var accumulators = groups.get(key);
        if (accumulators == null) {
            accumulators = start();
            groups.put(key, accumulators);
            workspace.keep(GROUP_BYTES + (long) AGGREGATE_BYTES * accumulators.size());
            key.forEach(value -> workspace.keep(JsonSize.of(value)));
        }
        for (var index = 0; index < accumulators.size(); index++) {
            AggregateCall call = grouping.aggregates().get(index);
            var value = Evaluator.evaluate(call.argument(), frame);
            if (!value.isUndefined()) {
                workspace.unfold(value);
                var accumulator = accumulators.get(index);
                long before = accumulator.bytes();
                accumulator.add(value, times);
                if (accumulator.bytes() != before) {
                    workspace.keep(accumulator.bytes() - before);
                }
            }
        }
    }

    /** Puts the keys and aggregates of each group into the frame in turn, for as long as more is wanted. */
    void forEachGroup(BooleanSupplier consumer) {
        for (var group : groups.entrySet()) {
            for (var index = 0; index < grouping.keys().size(); index++) {
                frame.fill(grouping.keys().get(index).slot(), group.getKey().get(index));
            }
            for (var index = 0; index < grouping.aggregates().size(); index++) {
                frame.fill(
                        grouping.aggregates().get(index).slot(),
                        group.getValue().get(index).result());
            }
            if (!consumer.getAsBoolean()) {
                return;
            }
        }
    }
}
