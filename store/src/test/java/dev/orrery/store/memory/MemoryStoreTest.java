package dev.orrery.store.memory;

import dev.orrery.store.Store;
import dev.orrery.store.StoreContract;
import java.nio.file.Path;

class MemoryStoreTest extends StoreContract {

    private final MemoryStore store = new MemoryStore();

    /** The same object each time: a store in memory lives as long as it is held. */
    @Override
    protected Store open(Path directory) {
        return store;
    }
}
