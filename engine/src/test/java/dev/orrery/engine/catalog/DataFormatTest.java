package dev.orrery.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.key.DataFormat;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.Store;
import dev.orrery.store.StoreException;
import dev.orrery.store.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which data folders are opened. */
class DataFormatTest {

    @Test
    void aNewFolderIsOpenedAndOpenedAgain() {
        try (var store = new MemoryStore()) {
            Catalog.open(store, 1).close();
            Catalog.open(store, 2).close();
        }
    }

    @Test
    void aFolderOfTheVersionBeforeIsRefusedUntouchedAndToldWhatToDo() {
        try (var store = new MemoryStore()) {
            commit(store, new Mutation.Put(new byte[] {KeySpace.COUNTER.tag()}, new byte[] {0, 0, 0, 7}));

            assertThatThrownBy(() -> Catalog.open(store, 1))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("has format 1")
                    .hasMessageContaining("./orrery export")
                    .hasMessageContaining("./orrery import");
            try (var partition = store.open(Catalog.ACCOUNT_PARTITION, 1);
                    var snapshot = partition.snapshot();
                    var rows = snapshot.scan(KeyRange.prefix(KeySpace.DATA_FORMAT.start()), Direction.FORWARD)) {
                assertThat(partition.lsn()).isEqualTo(1);
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Test
    void aFolderOfALaterVersionIsRefused() {
        try (var store = new MemoryStore()) {
            commit(store, new Mutation.Put(DataFormat.key(), new byte[] {0, 0, 0, 99}));
            assertThatThrownBy(() -> Catalog.open(store, 1))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("has format 99");
        }
    }

    private static void commit(Store store, Mutation row) {
        try (var partition = store.open(Catalog.ACCOUNT_PARTITION, 1)) {
            partition.commit(new Commit(new CommitId(7, 1), 0, 1, List.of(row)));
        }
    }
}
