package dev.orrery.store.rocksdb;

import dev.orrery.store.CommitResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.RocksDBException;

/** The one way into the database: decides groups of writes and puts each down as one batch. */
final class Writer {

    private static final long SYNC_DELAY_MILLIS = 100;

    private final Path directory;
    private final Current current;
    private final Disk disk;
    private final Room room;
    private final Durability durability;
    private final ScheduledExecutorService background;
    private final WriteQueue queue = new WriteQueue(this::write);
    private final AtomicBoolean syncIsPlanned = new AtomicBoolean();

    /**
     * Set by the first write that fails: nobody can tell what of it has reached the disk, and what was written after it
     * could be lost behind it. Only opening the database anew, which reads what is there, can go on.
     */
    private volatile String failure;

    /** Set for ever when a file is not what it was. */
    private volatile String damage;

    Writer(
            Path directory,
            Current current,
            Disk disk,
            Room room,
            Durability durability,
            ScheduledExecutorService background) {
        this.directory = directory;
        this.current = current;
        this.disk = disk;
        this.room = room;
        this.durability = durability;
        this.background = background;
    }

    /** Takes no more writes, for a reason other than a write. */
    void stop(String reason) {
        damage = reason;
    }

    /** Whether the database has to be opened anew before it takes writes again. */
    boolean hasFailed() {
        return failure != null && damage == null;
    }

    /** The database has been opened anew. */
    void goOn() {
        failure = null;
    }

    /** Why no writes are taken at present. */
    Optional<String> stopped() {
        return Optional.ofNullable(damage)
                .or(() -> Optional.ofNullable(failure))
                .or(room::stopped);
    }

    /** Returns when the write is durable or refused. */
    CommitResult run(Write write) {
        queue.submit(write);
        return write.result();
    }

    /** Nothing is being written any more once {@link #hasFailed} is true, for this and {@link #fail} take turns. */
    private synchronized void write(List<Write> group) {
        var stopped = stopped();
        if (stopped.isPresent()) {
            group.forEach(write -> write.refuse(stopped.get()));
            return;
        }
        var database = current.enter();
        try {
            int bytes = bytes(group);
            var batch = database.nextGroup(bytes);
            for (Write write : group) {
                write.stage(batch, database.families());
            }
            if (!batch.isEmpty()) {
                disk.write(database, batch);
                planSync();
                room.written(bytes);
            }
            group.forEach(Write::succeed);
        } catch (RocksDBException | RuntimeException | Error e) {
            group.forEach(write -> write.fail(Failures.writing(directory, e)));
            fail(e);
        } finally {
            database.lifetime().leave();
        }
    }

    /** What a batch of them will take; a little more rather than less. */
    private static int bytes(List<Write> group) {
        return Math.toIntExact(group.stream().mapToLong(Write::bytes).sum());
    }

    // One delayed sync serves all writes until it runs, and there is none while nothing is written.
    private void planSync() {
        if (durability == Durability.RELAXED && syncIsPlanned.compareAndSet(false, true)) {
            var _ = background.schedule(this::syncNow, SYNC_DELAY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void syncNow() {
        current.tryEnter().ifPresent(this::sync); // Closing syncs, too.
    }

    private void sync(Database database) {
        try {
            syncIsPlanned.set(false);
            if (failure == null) {
                database.syncLog();
            }
        } catch (RocksDBException e) {
            fail(e);
        } finally {
            database.lifetime().leave();
        }
    }

    private synchronized void fail(Throwable cause) {
        failure = Failures.stopped(directory, cause);
    }
}
