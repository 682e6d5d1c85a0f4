package dev.orrery.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Condition;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Store;
import dev.orrery.store.StoreContract;
import dev.orrery.store.WritesStoppedException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends StoreContract {

    private final MemoryStore store = new MemoryStore();

    @Test
    void oneThatIsFullKeepsWhatItHasAndTakesOnlyWhatMakesItNoLarger() {
        var small = new MemoryStore(100_000);
        var partition = small.open(new PartitionId(7), 1);
        int rows = 0;
        while (rows < 1_000) {
            try {
                commit(partition, new Mutation.Put(key(rows), new byte[1_000]));
                rows++;
            } catch (WritesStoppedException full) {
                assertThat(full).hasMessageContaining("--memory");
                break;
            }
        }
        assertThat(rows).isBetween(80, 100);
        assertThat(small.condition().stopped()).isPresent();
        assertThat(partition.get(key(rows))).isNull();
        assertThat(partition.get(key(0))).hasSize(1_000);

        commit(partition, new Mutation.Put(key(0), new byte[900]));
        var other = small.open(new PartitionId(8), 1);
        assertThatThrownBy(() -> commit(other, new Mutation.Put(key(0), new byte[2_000])))
                .isInstanceOf(WritesStoppedException.class);
        commit(partition, new Mutation.DeleteRange(new KeyRange(key(0), key(20))));
        assertThat(small.condition()).isEqualTo(Condition.SOUND);
        commit(other, new Mutation.Put(key(0), new byte[2_000]));
        small.drop(new PartitionId(7));
        commit(other, new Mutation.Put(key(1), new byte[90_000]));
    }

    private static void commit(PartitionStore partition, Mutation mutation) {
        var commit = new Commit(
                new CommitId(1, partition.lsn() + 1), partition.lsn(), partition.lsn() + 1, List.of(mutation));
        assertThat(partition.commit(commit)).isEqualTo(CommitResult.COMMITTED);
    }

    private static byte[] key(int number) {
        return new byte[] {(byte) (number >> 8), (byte) number};
    }

    /** The same object each time: a store in memory lives as long as it is held. */
    @Override
    protected Store open(Path directory) {
        return store;
    }
}
