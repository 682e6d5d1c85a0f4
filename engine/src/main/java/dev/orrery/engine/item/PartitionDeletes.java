package dev.orrery.engine.item;

import dev.orrery.engine.budget.Charges;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.operation.Operation.DeletePartition;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Limits;
import dev.orrery.store.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Deletes all items of a logical partition, in small transactions so that other writers get their turn. */
public final class PartitionDeletes {
    private final Items items;
    private final Router router;

    public PartitionDeletes(Items items, Router router) {
        this.items = items;
        this.router = router;
    }

    public CompletionStage<Outcome> run(Container container, DeletePartition delete) {
        var partition = Router.partition(container, Optional.of(delete.partition()));
        return deleteNext(container, partition, keys(container, partition), 0);
    }

    private CompletionStage<Outcome> deleteNext(
            Container container, LogicalPartition partition, List<ItemKey> keys, int from) {
        int to = Math.min(keys.size(), from + Limits.SWEEP_BITE_ROWS);
        CompletionStage<Outcome> bite = items.<Double>inLane(
                container,
                partition,
                current -> unit -> {
                    double charge = 0;
                    for (var key : keys.subList(from, to)) {
                        var item = ItemRows.find(unit, current, key);
                        if (item != null) {
                            ItemRows.remove(unit, current, key, item, Change.DELETE);
                            charge += Charges.write(item.sizeBytes());
                        }
                    }
                    return charge;
                },
                (route, done) -> new Outcome(
                        new Answer.Accepted(),
                        done.result(),
                        route.facts(done.lsn(), Optional.empty(), Optional.empty())),
                (route, problem) -> Optional.empty());
        return bite.thenCompose(outcome -> to == keys.size() || !(outcome.answer() instanceof Answer.Accepted)
                ? CompletableFuture.completedFuture(outcome)
                : deleteNext(container, partition, keys, to));
    }

    /** What is there now; items that come later stay. */
    private List<ItemKey> keys(Container container, LogicalPartition partition) {
        var keys = new ArrayList<ItemKey>();
        try (var snapshot = router.route(container, partition.epk()).partition().snapshot();
                var cursor = snapshot.scan(partition.itemKeys(), Direction.FORWARD)) {
            while (cursor.next()) {
                keys.add(ItemKey.decode(cursor.key()));
            }
        }
        return keys;
    }
}
