package dev.orrery.engine.catalog;

import dev.orrery.model.Rid;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.ViewDefinition;
import java.util.List;

/**
 * A container as the engine needs it at hand.
 *
 * @param ownerPath {@code dbs/d/colls/c} in names: where its items hang
 * @param expiryStale its default time to live changed, and the expiry entries of its items have not been redone yet
 * @param superseded former definitions, oldest first, by which items may still be indexed; none once all items are
 *     indexed as the present one says
 */
public record Container(
        Resource resource,
        ContainerDefinition definition,
        Ranges ranges,
        String ownerPath,
        boolean expiryStale,
        List<ContainerDefinition> superseded) {

    public Container {
        superseded = List.copyOf(superseded);
    }

    public Rid rid() {
        return resource.rid();
    }

    /** Part of the numbers of its partitions; never used twice. */
    public int number() {
        return resource.rid().containerNumber();
    }

    /** Whether the server keeps it up to date from another one. */
    public boolean isViewOf(Container source) {
        return definition
                .view()
                .flatMap(ViewDefinition::sourceRid)
                .filter(source.rid().toString()::equals)
                .isPresent();
    }

    public Container withRanges(Ranges changed) {
        return new Container(resource, definition, changed, ownerPath, expiryStale, superseded);
    }

    public Container withExpiryRedone() {
        return new Container(resource, definition, ranges, ownerPath, false, superseded);
    }

    public Container withIndexRebuilt() {
        return new Container(resource, definition, ranges, ownerPath, expiryStale, List.of());
    }
}
