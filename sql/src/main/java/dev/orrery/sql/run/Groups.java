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
    private static final int GROUP_BYTES = 64;
    private static final int VALUE_BYTES = 8;

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
        var key = new ArrayList<JsonValue>(grouping.keys().size());
        for (var part : grouping.keys()) {
            key.add(Evaluator.evaluate(part.value(), frame));
        }
        var accumulators = groups.get(key);
        if (accumulators == null) {
            accumulators = start();
            groups.put(key, accumulators);
            frame.keep(GROUP_BYTES * (1L + accumulators.size()));
            key.forEach(value -> frame.keep(JsonSize.of(value)));
        }
        for (var index = 0; index < accumulators.size(); index++) {
            AggregateCall call = grouping.aggregates().get(index);
            var value = Evaluator.evaluate(call.argument(), frame);
            if (!value.isUndefined()) {
                accumulators.get(index).add(value, times);
                if (call.aggregate().keepsValues()) {
                    frame.keep(times * (VALUE_BYTES + JsonSize.of(value)));
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
