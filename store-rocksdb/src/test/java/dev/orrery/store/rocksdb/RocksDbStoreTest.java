package dev.orrery.store.rocksdb;

import dev.orrery.store.Store;
import dev.orrery.store.StoreContract;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** The contract, with every setting that changes where rows go or when they are durable. */
class RocksDbStoreTest {

    private static final ScheduledExecutorService BACKGROUND = Executors.newSingleThreadScheduledExecutor();

    @AfterAll
    static void stop() {
        BACKGROUND.shutdownNow();
    }

    @Nested
    class Strict extends StoreContract {
        @Override
        protected Store open(Path directory) {
            return new RocksDbStore(directory, RocksDbSettings.DEFAULT, BACKGROUND);
        }
    }

    @Nested
    class RelaxedWithSeparateKeySpaces extends StoreContract {
        @Override
        protected Store open(Path directory) {
            // Key space 2 of the random histories, and the highest one of the sentences about key spaces.
            var settings = RocksDbSettings.DEFAULT
                    .withDurability(Durability.RELAXED)
                    .withSeparateKeySpaces(Set.of((byte) 2, (byte) 0xFE));
            return new RocksDbStore(directory, settings, BACKGROUND);
        }
    }
}
