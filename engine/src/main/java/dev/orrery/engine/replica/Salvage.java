package dev.orrery.engine.replica;

import dev.orrery.engine.catalog.Container;
import dev.orrery.model.json.ItemText;
import java.util.function.Consumer;

/** Where a copy puts the items of a container that it had alone, before it gives the container up. */
@FunctionalInterface
public interface Salvage {
    /**
     * Puts them aside.
     *
     * @param items tells each of them
     */
    void keep(Container container, Consumer<Consumer<ItemText>> items);
}
