package dev.orrery.store.rocksdb;

import dev.orrery.store.CommitResult;
import dev.orrery.store.StoreException;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.RocksDBException;

/** The one way into the database: decides groups of writes and puts each down as one batch. */
final class Writer {

    private static final long SYNC_DELAY_MILLIS = 100;

    private final Database database;
    private final Lifetime lifetime;
    private final Durability durability;
    private final ScheduledExecutorService background;
    private final WriteQueue queue = new WriteQueue(this::write);
    private final AtomicBoolean syncIsPlanned = new AtomicBoolean();

    /**
     * Set by the first write that fails, for ever: nobody can tell what of it has reached the disk, and what was
     * written after it could be lost behind it. Only a new start, which reads what is there, can go on.
     */
    private volatile StoreException broken;

    Writer(Database database, Lifetime lifetime, Durability durability, ScheduledExecutorService background) {
        this.database = database;
        this.lifetime = lifetime;
        this.durability = durability;
        this.background = background;
    }

    /** Takes no more writes, for a reason other than a write. */
    void stop(StoreException reason) {
        broken = reason;
    }

    /** Returns when the write is durable or refused. */
    CommitResult run(Write write) {
        queue.submit(write);
        return write.result();
    }

    private void write(List<Write> group) {
        if (broken != null) {
            group.forEach(write -> write.fail(broken));
            return;
        }
        try {
            var batch = database.nextGroup(bytes(group));
            for (Write write : group) {
                write.stage(batch, database.families());
            }
            if (!batch.isEmpty()) {
                database.write(batch);
                planSync();
            }
            group.forEach(Write::succeed);
        } catch (RocksDBException | RuntimeException | Error e) {
            broken = Failures.writing(e);
            group.forEach(write -> write.fail(broken));
        }
    }

    /** What a batch of them will take; a little more rather than less. */
    private static int bytes(List<Write> group) {
        return Math.toIntExact(group.stream().mapToLong(Write::bytes).sum());
    }

    // One delayed sync serves all writes until it runs, and there is none while nothing is written.
    private void planSync() {
        if (durability == Durability.RELAXED && syncIsPlanned.compareAndSet(false, true)) {
            var _ = background.schedule(this::sync, SYNC_DELAY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void sync() {
        if (!lifetime.tryEnter()) {
            return; // Closing syncs, too.
        }
        try {
            syncIsPlanned.set(false);
            database.syncLog();
        } catch (RocksDBException e) {
            broken = Failures.writing(e);
        } finally {
            lifetime.leave();
        }
    }
}
