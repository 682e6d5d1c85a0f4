package dev.orrery.engine.resource;

import dev.orrery.engine.budget.Budgets;
import dev.orrery.engine.budget.Usage;
import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.model.definition.OfferDefinition;
import dev.orrery.model.definition.Throughput;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Counts what containers hold, from what their partitions remember of themselves. */
public final class Census {
    private final Catalog catalog;
    private final Partitions partitions;

    public Census(Catalog catalog, Partitions partitions) {
        this.catalog = catalog;
        this.partitions = partitions;
    }

    /** The items of a container. */
    record Contents(long items, long itemBytes) {}

    /**
     * A container in figures.
     *
     * @param itemBytes size of the texts of its items, without indexes
     * @param ranges how many physical partitions it has
     * @param throughput what it may use a second; absent where nothing limits it
     * @param shared whether that is its database's, for all containers there that have none of their own
     */
    public record Figures(
            Location location,
            long items,
            long itemBytes,
            int ranges,
            Optional<Throughput> throughput,
            boolean shared) {}

    /** All containers, in the order of their names. */
    public List<Figures> take() {
        var offers = new HashMap<String, Throughput>();
        for (var offer : catalog.list(Optional.empty(), ResourceKind.OFFER)) {
            var definition = OfferDefinition.parse(offer.json());
            offers.put(definition.resourceRid(), definition.throughput());
        }
        return catalog.containers().stream()
                .flatMap(container -> figures(container, offers).stream())
                .sorted(Comparator.comparing(
                                (Figures figures) -> figures.location().database())
                        .thenComparing(figures -> figures.location().container()))
                .toList();
    }

    private Optional<Figures> figures(Container container, Map<String, Throughput> offers) {
        var databaseRid = container.resource().parent().orElseThrow();
        var own = Optional.ofNullable(offers.get(container.rid().toString()));
        var shared = Optional.ofNullable(offers.get(databaseRid.toString()));
        return catalog.find(databaseRid).map(database -> {
            var contents = contents(container);
            return new Figures(
                    new Location(database.id(), container.resource().id()),
                    contents.items(),
                    contents.itemBytes(),
                    container.ranges().live().size(),
                    own.or(() -> shared),
                    own.isEmpty() && shared.isPresent());
        });
    }

    /**
     * A physical partition in figures.
     *
     * @param itemBytes size of the texts of its items, without indexes
     * @param indexBytes about how much its indexes take in the store
     */
    public record RangeFigures(
            Location location, Range range, long items, long itemBytes, long indexBytes, Usage usage) {}

    /** All physical partitions, in the order of their containers' names and of their keys. */
    public List<RangeFigures> ranges(Budgets budgets) {
        return catalog.containers().stream()
                .flatMap(container -> ranges(container, budgets))
                .sorted(Comparator.comparing(
                                (RangeFigures figures) -> figures.location().database())
                        .thenComparing(figures -> figures.location().container()))
                .toList();
    }

    private Stream<RangeFigures> ranges(Container container, Budgets budgets) {
        var database = catalog.find(container.resource().parent().orElseThrow());
        if (database.isEmpty()) {
            return Stream.empty();
        }
        var location = new Location(database.get().id(), container.resource().id());
        var figures = container.ranges().live().stream()
                .map(range -> {
                    var partition = partitions.resolve(container.number(), range.id());
                    var state = partition.state();
                    return new RangeFigures(
                            location,
                            range,
                            state.items(),
                            state.itemBytes(),
                            partition.indexBytes(),
                            budgets.of(container, range).usage());
                })
                .toList();
        undoIfGone(container);
        return figures.stream();
    }

    Contents contents(Container container) {
        long items = 0;
        long itemBytes = 0;
        for (var range : container.ranges().live()) {
            var state = partitions.resolve(container.number(), range.id()).state();
            items += state.items();
            itemBytes += state.itemBytes();
        }
        undoIfGone(container);
        return new Contents(items, itemBytes);
    }

    /** Looking into the partitions of a container that was deleted in the meantime has made them anew. */
    private void undoIfGone(Container container) {
        if (catalog.findContainer(container.rid()).isEmpty()) {
            container.ranges().live().forEach(range -> partitions.drop(container.number(), range.id()));
        }
    }
}
