package dev.orrery.engine.view;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.ViewKeys;
import dev.orrery.engine.key.ViewProgress;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Limits;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Takes over the care of a view from another region, for one range of its source.
 *
 * <p>The items of a view come from the other region with the word whose they are, but not the notes beside the source, which
 * are of no use to those who only read. They are made anew from the former; then the view follows its source from the beginning of
 * the log, where doing again what was done changes nothing. What is cut off is done again: the progress is noted last.
 */
final class ViewTakeover {
    private final Container view;
    private final Router.Route source;
    private final Partition partition;
    private final Router router;

    ViewTakeover(Container view, Router.Route source, Router router) {
        this.view = view;
        this.source = source;
        this.partition = source.partition();
        this.router = router;
    }

    /** Does nothing where this region has begun already since it took over. */
    void runIfDue() {
        long epoch = partition.epochs().last();
        var key = ViewKeys.progress(view.number());
        try (var snapshot = partition.snapshot()) {
            if (ViewProgress.ofStored(snapshot.get(key))
                    .filter(progress -> progress.epoch() == epoch)
                    .isPresent()) {
                return;
            }
        }
        forgetPlaces();
        for (var range : view.ranges().live()) {
            learnPlaces(router.route(view, range).partition());
        }
        submit(unit -> unit.put(key, new ViewProgress(0, epoch).encode()));
    }

    private void forgetPlaces() {
        var rows = new ArrayList<byte[]>();
        scan(partition, ViewKeys.allPlaces(view.number()), (row, value) -> {
            rows.add(row);
            if (rows.size() == Limits.TRIM_BITE_CHANGES) {
                forget(rows);
            }
        });
        forget(rows);
    }

    private void forget(List<byte[]> rows) {
        submit(unit -> rows.forEach(unit::delete));
        rows.clear();
    }

    private void learnPlaces(Partition part) {
        var learnt = new LinkedHashMap<ItemKey, ItemKey>();
        scan(part, ViewKeys.allOwners(), (row, value) -> {
            var owner = ItemKey.decode(value);
            if (source.range().epks().contains(owner.epk())) {
                learnt.put(ViewKeys.ownerItem(row), owner);
                if (learnt.size() == Limits.TRIM_BITE_CHANGES) {
                    learn(learnt);
                }
            }
        });
        learn(learnt);
    }

    private void learn(Map<ItemKey, ItemKey> learnt) {
        submit(unit -> learnt.forEach((place, owner) -> {
            var key = ViewKeys.places(view.number(), owner);
            var places = new ArrayList<>(ViewKeys.decodePlaces(unit.get(key)));
            if (!places.contains(place)) {
                places.add(place);
            }
            unit.put(key, ViewKeys.encodePlaces(places));
        }));
        learnt.clear();
    }

    private interface Reader {
        void read(byte[] key, byte[] value);
    }

    private static void scan(Partition part, KeyRange rows, Reader reader) {
        try (var snapshot = part.snapshot();
                var cursor = snapshot.scan(rows, Direction.FORWARD)) {
            while (cursor.next()) {
                reader.read(cursor.key(), cursor.value());
            }
        }
    }

    private void submit(Consumer<Unit> work) {
        partition
                .submitNote(unit -> {
                    work.accept(unit);
                    return null;
                })
                .join();
    }
}
