package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.DeletePartition;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.partition.Lane;
import dev.orrery.engine.partition.Unit;
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

    public CompletionStage<Outcome> run(Container container, DeletePartition delete, Caller caller) {
        var partition = Router.partition(container, Optional.of(delete.partition()));
        var bites = bites(container, partition);
        if (caller.spending().chargeMax().isPresent()) {
            var keys = bites.stream().flatMap(List::stream).toList();
            bill(container, partition, keys).demandAtMost(caller.spending().chargeMax());
        }
        return deleteNext(container, partition, caller, bites, 0);
    }

    /** What it will cost; tried out, because nobody can take back the first of several transactions. */
    private Bill bill(Container container, LogicalPartition partition, List<ItemKey> keys) {
        try (var draft = router.route(container, partition.epk()).partition().draft()) {
            return delete(draft.unit(), container, keys);
        }
    }

    private Bill delete(Unit unit, Container container, List<ItemKey> keys) {
        var bills = new ArrayList<Bill>();
        for (var key : keys) {
            var item = ItemRows.find(unit, container, key);
            if (item != null) {
                bills.add(items.writer().removed(unit, container, key, item));
            }
        }
        return bills.isEmpty() ? items.prices().attempt() : Bill.sum(bills);
    }

    private CompletionStage<Outcome> deleteNext(
            Container container, LogicalPartition partition, Caller caller, List<List<ItemKey>> bites, int next) {
        CompletionStage<Outcome> bite = items.inLane(container, partition, caller, new LaneTask<Bill>() {
            @Override
            public Bill run(Unit unit, Container current) {
                return delete(unit, current, bites.get(next));
            }

            @Override
            public Outcome answer(Route route, Lane.Done<Bill> done) {
                return new Outcome(
                        new Answer.Progress(),
                        done.result(),
                        route.facts(done.lsn(), Optional.empty(), Optional.empty()));
            }
        });
        return bite.thenCompose(outcome -> next + 1 == bites.size() || !(outcome.answer() instanceof Answer.Progress)
                ? CompletableFuture.completedFuture(outcome)
                : deleteNext(container, partition, caller, bites, next + 1)
                        .thenApply(rest ->
                                new Outcome(rest.answer(), outcome.bill().plus(rest.bill()), rest.facts())));
    }

    /**
     * What is there now, as much of it together as goes into one commit; items that come later stay. There is at least
     * one bite, for the answer.
     */
    private List<List<ItemKey>> bites(Container container, LogicalPartition partition) {
        var bites = new ArrayList<List<ItemKey>>();
        var bite = new ArrayList<ItemKey>();
        long bytes = 0;
        try (var view = router.route(container, partition.epk()).view();
                var cursor = view.snapshot().scan(partition.itemKeys(), Direction.FORWARD)) {
            while (cursor.next()) {
                int itemBytes = cursor.value().length;
                if (!bite.isEmpty()
                        && (bite.size() == Limits.SWEEP_BITE_ROWS || bytes + itemBytes > Limits.ITEM_BYTES_MAX)) {
                    bites.add(bite);
                    bite = new ArrayList<>();
                    bytes = 0;
                }
                bite.add(ItemKey.decode(cursor.key()));
                bytes += itemBytes;
            }
        }
        bites.add(bite);
        return bites;
    }
}
