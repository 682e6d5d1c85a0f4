package dev.orrery.store.rocksdb;

import dev.orrery.store.CommitResult;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Store;
import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.rocksdb.RocksDBException;

/** Keeps all partitions in one RocksDB. */
public final class RocksDbStore implements Store {

    /** How long closing waits for readers. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    /** How often some more files are compared with their checksums, as long as there are any. */
    private static final long COMPARE_MILLIS = 1_000;

    private final DirectoryLock lock;
    private final Database database;
    private final Lifetime lifetime = new Lifetime();
    private final Writer writer;
    private final ConcurrentHashMap<PartitionId, Partition> partitions = new ConcurrentHashMap<>();
    private final ScheduledFuture<?> comparing;

    /**
     * Opens the store of a directory, or makes it.
     *
     * @param background runs the delayed syncs of {@link Durability#RELAXED}, and looks after files; must live as long
     *     as the store
     * @throws StoreException when the directory is in use, damaged, or of another format; the message says which
     */
    public RocksDbStore(Path directory, RocksDbSettings settings, ScheduledExecutorService background) {
        lock = lock(directory);
        try {
            database = new Database(directory, settings);
        } catch (RuntimeException | Error e) {
            lock.close();
            throw e;
        }
        writer = new Writer(database, lifetime, settings.durability(), background);
        comparing = background.scheduleWithFixedDelay(
                this::compareFiles, COMPARE_MILLIS, COMPARE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static DirectoryLock lock(Path directory) {
        try {
            Files.createDirectories(directory);
            return new DirectoryLock(directory);
        } catch (IOException e) {
            throw Failures.unusable(directory, e);
        }
    }

    private void compareFiles() {
        if (!lifetime.tryEnter()) {
            return;
        }
        try {
            database.compareFiles();
        } catch (StoreException damage) {
            writer.stop(damage);
        } catch (IOException _) {
            // Read again next time, by this or by those who want what is in the file.
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public PartitionStore open(PartitionId id, long ownerEpoch) {
        if (ownerEpoch <= 0) {
            throw new IllegalArgumentException("An owner's epoch is positive, not " + ownerEpoch);
        }
        lifetime.enter();
        try {
            while (true) {
                var partition = partition(id);
                if (writer.run(new Write.OfOwner(partition, ownerEpoch)) == CommitResult.COMMITTED) {
                    return new RocksDbPartitionStore(database, lifetime, writer, partition, ownerEpoch);
                }
                var guard = partition.guard();
                if (guard.exists()) {
                    throw new StoreException("Partition %d belongs to owner epoch %d, epoch %d comes too late"
                            .formatted(id.value(), guard.epoch(), ownerEpoch));
                }
                // It has been dropped between the two steps.
                partitions.remove(id, partition);
            }
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public void drop(PartitionId id) {
        lifetime.enter();
        try {
            var partition = partition(id);
            writer.run(new Write.OfDrop(partition));
            partitions.remove(id, partition);
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public List<PartitionId> partitions() {
        lifetime.enter();
        try (var rows = database.rocks().newIterator(database.families().main())) {
            var found = new ArrayList<PartitionId>();
            // From guard to guard: each is the first row of its partition. What has a negative number is no partition.
            rows.seek(Partition.guardRow(new PartitionId(0)));
            while (rows.isValid() && Partition.number(rows.key()) >= 0) {
                var id = new PartitionId(Partition.number(rows.key()));
                found.add(id);
                rows.seek(Partition.end(id));
            }
            rows.status();
            return List.copyOf(found);
        } catch (RocksDBException e) {
            throw Failures.reading(e);
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public long backlogBytes() {
        lifetime.enter();
        try {
            return database.backlogBytes();
        } catch (RocksDBException e) {
            throw Failures.reading(e);
        } finally {
            lifetime.leave();
        }
    }

    /** Writes a copy of all that is committed now to a new directory, which {@link RocksDbStore} can open. */
    public void checkpoint(Path target) {
        lifetime.enter();
        try {
            database.checkpoint(target);
        } catch (RocksDBException | IOException e) {
            throw new StoreException("No checkpoint could be made in " + target + ": " + e.getMessage(), e);
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public void close() {
        if (!lifetime.end(CLOSE_PATIENCE)) {
            // To close it under them would end the process.
            throw new StoreException("The store stays open, because snapshots or cursors do");
        }
        comparing.cancel(false);
        try {
            database.shutDown();
        } finally {
            lock.close();
        }
    }

    private Partition partition(PartitionId id) {
        return partitions.computeIfAbsent(id, this::read);
    }

    private Partition read(PartitionId id) {
        try {
            byte[] guard = database.rocks().get(database.families().main(), Partition.guardRow(id));
            return new Partition(id, Guard.decode(guard));
        } catch (RocksDBException e) {
            throw Failures.reading(e);
        }
    }
}
