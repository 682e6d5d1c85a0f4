package dev.orrery.engine.resource;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Ranges;
import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.index.ItemIndex;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.model.definition.ContainerDefinition;
import java.util.ArrayList;
import java.util.List;

/** A container that gets another definition, with what that leaves to be done about its items. */
public final class Redefinition {
    private Redefinition() {}

    public static Container of(Container now, Resource resource, ContainerDefinition definition, Ranges ranges) {
        boolean ttlChanged = !TimeToLive.of(definition).equals(TimeToLive.of(now.definition()));
        return new Container(
                resource,
                definition,
                ranges,
                now.ownerPath(),
                now.expiryStale() || ttlChanged,
                superseded(now, definition));
    }

    /** What the items of a container may be indexed by besides its new definition. */
    private static List<ContainerDefinition> superseded(Container container, ContainerDefinition definition) {
        if (ItemIndex.isSame(container.definition(), definition)) {
            return container.superseded();
        }
        var superseded = new ArrayList<>(container.superseded());
        superseded.add(container.definition());
        return superseded;
    }
}
