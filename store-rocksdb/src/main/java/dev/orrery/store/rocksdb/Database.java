package dev.orrery.store.rocksdb;

import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** An open RocksDB in the layout of this program, with everything native that lives and dies with it. */
final class Database implements AutoCloseable {

    private static final long REPLAYED_BYTES_MAX = 16L << 20;

    /** Of a database that is read from for some seconds only. */
    private static final long READ_ONLY_CACHE_BYTES = 32L << 20;

    private final Path directory;
    private final Durability durability;
    private final Deque<AbstractNativeReference> natives = new ArrayDeque<>();
    private final RocksDB rocks;
    private final Families families;
    private final ReadOptions anywhere;
    private final ReadOptions inMemory;
    private final WriteOptions write;
    private final Lifetime lifetime = new Lifetime();
    private final SortedFiles sortedFiles;

    /** Null where nothing is written. */
    private final Watermark watermark;

    /** The number of the last group of writes; changed by the one thread that writes. */
    private volatile long group;

    /** What may be done with an open database. */
    enum Use {
        READ_AND_WRITE,
        /** No file is changed, so that it can be open beside another one that has failed to write. */
        READ,
        /** No file is changed, and whatever is damaged is passed over: reads of it fail, all others do not. */
        SALVAGE
    }

    /**
     * Opens what is in the directory, or makes it. Nobody else may be there who writes.
     *
     * @param acknowledged the number of the last group of writes that is known to have succeeded; 0 when nothing is known
     */
    Database(Path directory, RocksDbSettings settings, Use use, long acknowledged) {
        RocksDB.loadLibrary();
        this.directory = directory;
        this.durability = settings.durability();
        try {
            boolean exists = use == Use.SALVAGE || exists(directory);
            long durable = Math.max(acknowledged, Watermark.read(directory));
            sortedFiles = use == Use.READ_AND_WRITE ? check(exists, durable) : SortedFiles.unchecked(directory);
            String logs = Failures.logs(directory);
            var handles = new ArrayList<ColumnFamilyHandle>();
            var tuning = new Tuning(settings.blockCacheBytes());
            rocks = keep(
                    switch (use) {
                        case READ_AND_WRITE ->
                            RocksDB.open(
                                    keep(tuning.database()).setCreateIfMissing(!exists),
                                    directory.toString(),
                                    descriptors(tuning, settings.blockCacheBytes(), exists),
                                    handles);
                        case READ, SALVAGE ->
                            RocksDB.openReadOnly(
                                    keep(use == Use.READ ? Tuning.readOnly() : Tuning.salvage()),
                                    directory.toString(),
                                    descriptors(tuning, READ_ONLY_CACHE_BYTES, exists),
                                    handles);
                    });
            families = new Families(handles.get(0), handles.get(1), settings.separateKeySpaces());
            anywhere = keep(new ReadOptions());
            inMemory = keep(new ReadOptions()).setReadTier(ReadTier.BLOCK_CACHE_TIER);
            write = keep(new WriteOptions()).setSync(settings.durability() == Durability.STRICT);
            var format = new StoreFormat(StoreFormat.VERSION, settings.separateKeySpaces());
            if (exists && use != Use.SALVAGE) {
                checkFormat(format, logs);
            }
            group = use == Use.SALVAGE ? durable : checkGroup(durable, logs);
            watermark = use == Use.READ_AND_WRITE ? new Watermark(directory, group) : null;
            if (use == Use.READ_AND_WRITE) {
                writeFormat(format);
            }
        } catch (RocksDBException e) {
            close();
            throw Failures.opening(directory, e);
        } catch (IOException e) {
            close();
            throw Failures.unusable(directory, e);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Sees to it that all files are there and have all they should have, before anything is changed. */
    private SortedFiles check(boolean exists, long durable) throws IOException {
        boolean closed = Inventory.check(directory);
        var manifest = exists ? Manifest.read(directory) : new Manifest("", Collections.emptyNavigableMap());
        var sorted = new SortedFiles(directory, manifest);
        if (exists && !closed) {
            LogCheck.run(directory, durable);
        }
        Inventory.delete(directory);
        return sorted;
    }

    /** Throws unless all groups are there that are known to have been on disk; else returns the number of the last. */
    private long checkGroup(long durable, String logs) throws RocksDBException {
        long last =
                GroupMark.decode(rocks.get(families.main(), GroupMark.row())).number();
        if (last < durable) {
            throw Failures.damaged(
                    directory,
                    logs,
                    "it ends with group %d of writes, but group %d was on disk".formatted(last, durable));
        }
        return last;
    }

    /** Who is inside; nothing of it may be used from outside. */
    Lifetime lifetime() {
        return lifetime;
    }

    /** The number of the last group of writes that succeeded. */
    long group() {
        return group;
    }

    RocksDB rocks() {
        return rocks;
    }

    Families families() {
        return families;
    }

    /** For reads of what is committed now, wherever it is. */
    ReadOptions anywhere() {
        return anywhere;
    }

    /** For reads that fail with {@link org.rocksdb.Status.Code#Incomplete} rather than go to a file. */
    ReadOptions inMemory() {
        return inMemory;
    }

    /** For the rows of the next group; there is one at a time. */
    RowBatch nextGroup(int bytesExpected) {
        return new RowBatch(bytesExpected, families.mainId(), new GroupMark(group + 1, watermark.number()));
    }

    void write(RowBatch rows) throws RocksDBException {
        write(rows, write);
        if (durability == Durability.STRICT) {
            watermark.advance(group);
        }
    }

    private void write(RowBatch rows, WriteOptions options) throws RocksDBException {
        try (var batch = rows.open()) {
            rocks.write(options, batch);
        }
        group = rows.number();
    }

    void syncLog() throws RocksDBException {
        long written = group;
        rocks.flushWal(true);
        watermark.advance(written);
    }

    /** Goes on comparing files with their checksums; throws when one is not what it was. */
    void compareFiles() throws IOException {
        sortedFiles.compareMore();
    }

    /** What files are to be merged for, over all families. */
    long backlogBytes() throws RocksDBException {
        return rocks.getAggregatedLongProperty("rocksdb.estimate-pending-compaction-bytes");
    }

    void checkpoint(Path target) throws RocksDBException, IOException {
        try (var checkpoint = Checkpoint.create(rocks)) {
            checkpoint.createCheckpoint(target.toString());
        }
        Inventory.write(target);
    }

    /** Ends all work behind the scenes; what is there can still be read. */
    void rest() {
        rocks.cancelAllBackgroundWork(true);
    }

    /** Ends in order: all is on disk, and what is there is written down. Nothing happens the second time. */
    synchronized void shutDown() {
        if (natives.isEmpty()) {
            return;
        }
        try {
            if (watermark != null) {
                syncLog();
                writeMemory();
                close();
                Inventory.write(directory);
            }
        } catch (RocksDBException | IOException e) {
            throw new StoreException("The store in " + directory + " did not end in order: " + e.getMessage(), e);
        } finally {
            close();
        }
    }

    /** Makes files of what is in memory, where it is so much that the next start would take seconds to read it again. */
    private void writeMemory() throws RocksDBException {
        if (rocks.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables") > REPLAYED_BYTES_MAX) {
            try (var options = new FlushOptions()) {
                rocks.flush(options, families.all());
            }
        }
    }

    @Override
    public void close() {
        while (!natives.isEmpty()) {
            natives.removeLast().close();
        }
        if (watermark != null) {
            watermark.close();
        }
    }

    private <T extends AbstractNativeReference> T keep(T reference) {
        natives.addLast(reference);
        return reference;
    }

    private List<ColumnFamilyDescriptor> descriptors(Tuning tuning, long cacheBytes, boolean exists)
            throws RocksDBException {
        var cache = keep(new LRUCache(cacheBytes));
        var main = keep(tuning.main(cache, keep(Tuning.filter())));
        var separate = keep(tuning.separate(cache));
        var unknown = keep(new ColumnFamilyOptions());
        return names(exists).stream()
                .map(name -> new ColumnFamilyDescriptor(
                        name.getBytes(StandardCharsets.UTF_8),
                        switch (name) {
                            case Families.MAIN -> main;
                            case Families.SEPARATE -> separate;
                            default -> unknown;
                        }))
                .toList();
    }

    // RocksDB opens all families of a directory or none. Those of a later version are opened too, so that it is the
    // format row which refuses them, in words.
    private Set<String> names(boolean exists) throws RocksDBException {
        var names = new LinkedHashSet<>(List.of(Families.MAIN, Families.SEPARATE));
        if (exists) {
            try (var options = new Options()) {
                for (byte[] name : RocksDB.listColumnFamilies(options, directory.toString())) {
                    names.add(new String(name, StandardCharsets.UTF_8));
                }
            }
        }
        return names;
    }

    private void checkFormat(StoreFormat wanted, String logs) throws RocksDBException {
        byte[] row = rocks.get(families.main(), StoreFormat.row());
        if (row == null) {
            throw Failures.damaged(directory, logs, "its first record is missing");
        }
        var found = StoreFormat.decode(row);
        if (found.version() != wanted.version()) {
            throw new StoreException(
                    "The store in %s has format %d, this program knows format %d: use the program that wrote it"
                            .formatted(directory, found.version(), wanted.version()));
        }
        if (!found.equals(wanted)) {
            throw new StoreException(
                    "The store in %s was made with the separate key spaces %s, not %s: use the program that wrote it"
                            .formatted(directory, found.separateKeySpaces(), wanted.separateKeySpaces()));
        }
    }

    /** Also where it is there already: the young log then has a group, by which what follows is known to be whole. */
    private void writeFormat(StoreFormat format) throws RocksDBException {
        try (var sync = new WriteOptions().setSync(true)) {
            var rows = nextGroup(0);
            rows.put(families.mainId(), StoreFormat.PREFIX, StoreFormat.key(), format.encode());
            write(rows, sync);
        }
        watermark.advance(group);
    }

    /** Whether there is a database; without this look, RocksDB would start a new one over the remains of another. */
    private static boolean exists(Path directory) throws IOException {
        boolean current = Files.exists(directory.resolve("CURRENT"));
        boolean log = has(directory, "*.log"); // From its first start on, a database always has one.
        if (current && !log) {
            throw Failures.damaged(directory, "*.log", "its log is missing");
        }
        if (!current && (log || has(directory, "*.sst"))) {
            throw Failures.damaged(directory, "CURRENT", "it is missing");
        }
        return current;
    }

    private static boolean has(Path directory, String pattern) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
            return files.iterator().hasNext();
        }
    }
}
