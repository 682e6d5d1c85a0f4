package dev.orrery.engine.check;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.item.RowLaws;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Store;
import dev.orrery.store.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Walks over a store at rest and says which laws do not hold in it. It changes nothing. */
public final class StoreCheck {
    private static final long OWNER_EPOCH = 1;

    /**
     * Something that does not hold.
     *
     * @param place the container and range, or the catalog
     * @param law what is wrong, in words
     */
    public record Finding(String place, String law) {}

    private final Store store;
    private final BiConsumer<Long, Long> progress;
    private final List<Finding> findings = new ArrayList<>();
    private long items;
    private long itemsTotal;

    private StoreCheck(Store store, BiConsumer<Long, Long> progress) {
        this.store = store;
        this.progress = progress;
    }

    /** What a check found, and how much it looked at. */
    public record Report(List<Finding> findings, int containers, long items) {
        public Report {
            findings = List.copyOf(findings);
        }
    }

    /** Looks at everything; {@code progress} is told of items done and items in all. */
    public static Report run(Store store, BiConsumer<Long, Long> progress) {
        return new StoreCheck(store, progress).run();
    }

    private Report run() {
        List<Container> containers;
        try (var catalog = Catalog.open(store, 1)) {
            containers = catalog.containers().stream()
                    .sorted(Comparator.comparing(Container::ownerPath))
                    .toList();
            checkCatalog(catalog);
        } catch (RuntimeException unreadable) {
            findings.add(new Finding("catalog", "it cannot be read: " + unreadable.getMessage()));
            return new Report(findings, 0, 0);
        }
        var existing = new HashSet<>(store.partitions());
        containers.forEach(container -> container.ranges().live().forEach(range -> sum(container, range, existing)));
        containers.forEach(container -> container.ranges().live().forEach(range -> check(container, range, existing)));
        return new Report(findings, containers.size(), items);
    }

    private void checkCatalog(Catalog catalog) {
        for (var container : catalog.containers()) {
            if (container.resource().parent().flatMap(catalog::find).isEmpty()) {
                findings.add(new Finding("catalog", container.ownerPath() + " has no database"));
            }
        }
    }

    private void sum(Container container, Range range, Set<PartitionId> existing) {
        var settled = Partitions.id(container.number(), range.id());
        for (var id : List.of(settled, Partitions.frontId(settled))) {
            if (!existing.contains(id)) {
                continue;
            }
            try (var partition = store.open(id, OWNER_EPOCH)) {
                var row = partition.get(PartitionState.key());
                itemsTotal += row == null ? 0 : PartitionState.decode(row).items();
            } catch (StoreException | IllegalStateException _) {
                // Said when the range is checked.
            }
        }
    }

    /** A range that nothing was ever written to has no partition yet; where several regions write, it may have two. */
    private void check(Container container, Range range, Set<PartitionId> existing) {
        var id = Partitions.id(container.number(), range.id());
        var place = container.ownerPath() + ", range " + range.name();
        if (existing.contains(id)) {
            check(container, range, id, place);
        }
        if (existing.contains(Partitions.frontId(id))) {
            check(container, range, Partitions.frontId(id), place + " as clients of this region see it");
        }
    }

    private void check(Container container, Range range, PartitionId id, String place) {
        try (var partition = store.open(id, OWNER_EPOCH);
                var snapshot = partition.snapshot()) {
            new RowLaws(container, range, snapshot, law -> findings.add(new Finding(place, law)), this::itemDone)
                    .check();
        } catch (StoreException | IllegalStateException unreadable) {
            findings.add(new Finding(place, "it cannot be read: " + unreadable.getMessage()));
        }
    }

    private void itemDone() {
        items++;
        progress.accept(items, itemsTotal);
    }
}
