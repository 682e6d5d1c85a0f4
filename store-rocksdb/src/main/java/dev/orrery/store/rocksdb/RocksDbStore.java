package dev.orrery.store.rocksdb;

import dev.orrery.store.CommitResult;
import dev.orrery.store.Condition;
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
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.rocksdb.RocksDBException;

/** Keeps all partitions in one RocksDB. */
public final class RocksDbStore implements Store {

    /** How long closing waits for readers. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    /** How long a look waits for readers of what is to be closed: the next one tries again. */
    private static final Duration LEFT_PATIENCE = Duration.ofMillis(1);

    /** How often files, and the disk, are looked after. */
    private static final long LOOK_MILLIS = 500;

    private final DirectoryLock lock;
    private final Current current;
    private final Room room;
    private final Writer writer;
    private final Recovery recovery;
    private final Database.Use use;
    private final ConcurrentHashMap<PartitionId, Partition> partitions = new ConcurrentHashMap<>();
    private final ScheduledFuture<?> looking;

    /**
     * Opens the store of a directory, or makes it.
     *
     * @param background runs the delayed syncs of {@link Durability#RELAXED}, and looks after files; must live as long
     *     as the store
     * @throws StoreException when the directory is in use, damaged, or of another format; the message says which
     */
    public RocksDbStore(Path directory, RocksDbSettings settings, ScheduledExecutorService background) {
        this(directory, settings, background, Disk::new, Database.Use.READ_AND_WRITE);
    }

    /** Opens a store to look at it: nothing is written, not even what a start would mend. */
    public static RocksDbStore toRead(Path directory, RocksDbSettings settings, ScheduledExecutorService background) {
        var store = new RocksDbStore(directory, settings, background, Disk::new, Database.Use.READ);
        store.writer.stop("The store is open for reading only");
        return store;
    }

    /**
     * Opens what is left of a damaged store: reads fail where the damage is, and nowhere else. Nothing is written to it.
     *
     * @param scratch a directory that is not there yet, for what has to be put together anew; the caller removes it
     * @throws StoreException when not even that is possible
     */
    public static RocksDbStore toSalvage(
            Path directory, Path scratch, RocksDbSettings settings, ScheduledExecutorService background) {
        if (FileList.isUsable(directory)) {
            try {
                return salvage(directory, settings, background);
            } catch (StoreException _) {
                // The list is good, and logs that it names are not: the files are asked instead, as without a list.
            }
        }
        FileList.makeAnew(directory, scratch);
        return salvage(scratch, settings, background);
    }

    private static RocksDbStore salvage(Path directory, RocksDbSettings settings, ScheduledExecutorService background) {
        var store = new RocksDbStore(directory, settings, background, Disk::new, Database.Use.SALVAGE);
        store.writer.stop("The store is open for reading only");
        return store;
    }

    /** Where its disk comes from. */
    interface DiskSource {
        Disk of(Path directory) throws IOException;
    }

    RocksDbStore(
            Path directory,
            RocksDbSettings settings,
            ScheduledExecutorService background,
            DiskSource disks,
            Database.Use use) {
        lock = lock(directory);
        this.use = use;
        try {
            var disk = disks.of(directory);
            room = new Room(disk, settings.diskReserveBytes());
            current = new Current(new Database(directory, settings, use, 0));
            writer = new Writer(directory, current, disk, room, settings.durability(), background);
            recovery = new Recovery(directory, settings, current, disk, room);
        } catch (IOException e) {
            lock.close();
            throw Failures.unusable(directory, e);
        } catch (RuntimeException | Error e) {
            lock.close();
            throw e;
        }
        looking = background.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static DirectoryLock lock(Path directory) {
        try {
            Files.createDirectories(directory);
            return new DirectoryLock(directory);
        } catch (IOException e) {
            throw Failures.unusable(directory, e);
        }
    }

    /** One at a time, and none after the end. */
    private synchronized void look() {
        room.look();
        current.tryEnter().ifPresent(database -> {
            if (writer.hasFailed()) {
                database.lifetime().leave();
                recover();
            } else {
                compareFiles(database);
            }
        });
    }

    private void compareFiles(Database database) {
        try {
            database.compareFiles();
        } catch (StoreException damage) {
            writer.stop(damage.getMessage());
        } catch (IOException _) {
            // Read again next time, by this or by those who want what is in the file.
        } finally {
            database.lifetime().leave();
        }
        var _ = current.closeLeft(LEFT_PATIENCE);
    }

    private void recover() {
        try {
            recovery.goOn().ifPresent(this::goOn);
        } catch (IOException | StoreException _) {
            // The disk takes no writes yet, or the directory cannot be opened: the next look tries again.
        }
    }

    /** What became of the writes that failed is read before anybody can write again. */
    private void goOn(Database database) {
        synchronized (partitions) {
            current.replace(database);
            partitions.replaceAll((id, partition) -> {
                partition.settle(guard(database, id));
                return partition;
            });
        }
        writer.goOn();
    }

    @Override
    public PartitionStore open(PartitionId id, long ownerEpoch) {
        if (ownerEpoch <= 0) {
            throw new IllegalArgumentException("An owner's epoch is positive, not " + ownerEpoch);
        }
        var database = current.enter();
        try {
            while (true) {
                var partition = partition(id);
                if (writer.run(new Write.OfOwner(partition, ownerEpoch)) == CommitResult.COMMITTED) {
                    return new RocksDbPartitionStore(current, writer, partition, ownerEpoch);
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
            database.lifetime().leave();
        }
    }

    @Override
    public void drop(PartitionId id) {
        var database = current.enter();
        try {
            var partition = partition(id);
            writer.run(new Write.OfDrop(partition));
            partitions.remove(id, partition);
        } finally {
            database.lifetime().leave();
        }
    }

    @Override
    public List<PartitionId> partitions() {
        var database = current.enter();
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
            database.lifetime().leave();
        }
    }

    @Override
    public long backlogBytes() {
        var database = current.enter();
        try {
            return database.backlogBytes();
        } catch (RocksDBException e) {
            throw Failures.reading(e);
        } finally {
            database.lifetime().leave();
        }
    }

    /**
     * A copy of the store as it was at one moment.
     *
     * @param files all that it consists of
     */
    public record Checkpoint(List<FileSum> files) {
        public Checkpoint {
            files = List.copyOf(files);
        }
    }

    /**
     * What a file of a copy must be like.
     *
     * @param checksum CRC-32C; of a sorted file the one that was found when it was written, so that what the disk has done
     *     to it since is noticed
     */
    public record FileSum(String name, long size, int checksum) {}

    /** Writes a copy of all that is committed now to a new directory, which {@link RocksDbStore} can open. */
    public Checkpoint checkpoint(Path target) {
        var database = current.enter();
        try {
            database.checkpoint(target);
            return new Checkpoint(StoredFiles.sums(target));
        } catch (RocksDBException | IOException e) {
            throw new StoreException("No checkpoint could be made in " + target + ": " + e.getMessage(), e);
        } finally {
            database.lifetime().leave();
        }
    }

    @Override
    public Condition condition() {
        return new Condition(writer.stopped(), room.warning(), OptionalLong.of(room.bytes()));
    }

    @Override
    public synchronized void close() {
        if (!current.database().lifetime().end(CLOSE_PATIENCE) || !current.closeLeft(CLOSE_PATIENCE)) {
            // To close it under them would end the process.
            throw new StoreException("The store stays open, because snapshots or cursors do");
        }
        looking.cancel(false);
        try {
            current.database().shutDown();
        } finally {
            lock.close();
        }
    }

    private Partition partition(PartitionId id) {
        var known = partitions.get(id);
        if (known != null) {
            return known;
        }
        synchronized (partitions) {
            return partitions.computeIfAbsent(id, unknown -> new Partition(id, guard(current.database(), id)));
        }
    }

    /** Of a database that the caller is inside of, or that nobody else knows yet. */
    private Guard guard(Database database, PartitionId id) {
        try {
            return Guard.decode(database.rocks().get(database.families().main(), Partition.guardRow(id)));
        } catch (RocksDBException e) {
            if (use == Database.Use.SALVAGE) {
                return Guard.UNREADABLE;
            }
            throw Failures.reading(e);
        }
    }
}
