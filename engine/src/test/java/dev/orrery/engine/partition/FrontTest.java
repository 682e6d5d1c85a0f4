package dev.orrery.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.WriterSlot;
import dev.orrery.engine.partition.Writers.Regions;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.memory.MemoryStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrontTest {
    private static final int CONTAINER = 7;
    private static final int SLOT = WriterSlot.of(0);

    private final Partitions partitions = new Partitions(
            new MemoryStore(),
            Runnable::run,
            InstantSource.fixed(Instant.EPOCH),
            new Random(1),
            new WriteRight(),
            MemoryBudget.unlimited(),
            Limits.LOGICAL_PARTITION_BYTES_MAX,
            Runnable::run);

    @Test
    void aRegionThatHasLostItsWritesDrawsNoneOfTheirNumbersAgain() {
        writeInAllRegions();
        var first = partitions.forClients(CONTAINER, 0);
        long settled = draw(first);
        long lost = draw(first);
        partitions
                .resolve(CONTAINER, 0)
                .submit(unit -> {
                    unit.passDocument(settled);
                    unit.put(Frontier.key(SLOT), Frontier.encode(new LogKey(first.lsn() - 1, 0)));
                    return null;
                })
                .join();

        partitions.drop(Partitions.frontId(Partitions.id(CONTAINER, 0)));

        assertThat(draw(partitions.forClients(CONTAINER, 0)))
                .isGreaterThan(lost)
                .matches(number -> WriterSlot.COUNT * (number / WriterSlot.COUNT) + SLOT == number, "is of its class");
    }

    private void writeInAllRegions() {
        partitions.writeInAllRegions(
                new Writers(SLOT, new WriteRight(), () -> true, () -> new Regions(1, Map.of(SLOT, "West")), () -> 0));
    }

    /** The count of a document number that something is stored under. */
    private static long draw(Partition partition) {
        return partition
                .submit(unit -> {
                    long number = unit.nextDocument(0);
                    unit.put(new byte[] {KeySpace.VIEW_OWNER.tag(), (byte) number}, new byte[] {1});
                    return DocumentKey.countOf(number);
                })
                .join()
                .result();
    }
}
