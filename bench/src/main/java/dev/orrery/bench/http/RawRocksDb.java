package dev.orrery.bench.http;

import dev.orrery.bench.harness.SampleItem;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.json.ItemText;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.SystemProperties;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The least that a durable create can cost: the rows that Orrery writes for it, as one synced batch, straight into RocksDB.
 * Threads meet inside RocksDB, which merges what waits for the disk.
 */
public final class RawRocksDb {
    private static final PartitionKeyDefinition DEFINITION =
            PartitionKeyDefinition.parse(JsonReader.parse("{\"paths\":[\"/id\"],\"kind\":\"Hash\",\"version\":2}"));

    /** What a partition's owner, position and last commit take. */
    private static final byte[] GUARD = new byte[32];

    /** The item as Orrery stores it. It is the same each time: to make it is the work of Orrery and not of RocksDB. */
    private static final byte[] ITEM = new StoredItem(
                    1,
                    0,
                    1_773_500_000,
                    1,
                    0,
                    0,
                    true,
                    ItemText.assemble(
                            JsonScanner.scan(SampleItem.json(SampleItem.id(0)).getBytes(StandardCharsets.UTF_8)),
                            new SystemProperties(
                                    "AAAAAAAAAAABAAAAAAAAAA==",
                                    "dbs/AAAAAA==/colls/AAAAAAAAAAA=/docs/AAAAAAAAAAABAAAAAAAAAA==/",
                                    StoredItem.etag(1, 0, 1_773_500_000),
                                    1_773_500_000)))
            .encode();

    private final RocksDB rocks;
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final AtomicLong numbers = new AtomicLong();

    private RawRocksDb(RocksDB rocks) {
        this.rocks = rocks;
    }

    /**
     * Takes the folder of a store of Orrery, whose options are used, and one for its own; then, from its input, lines of
     * {@code <threads> <milliseconds>}, each answered with {@code wrote <batches> <nanoseconds>}.
     */
    public static void main(String[] arguments)
            throws RocksDBException, IOException, InterruptedException, ExecutionException {
        RocksDB.loadLibrary();
        var families = new ArrayList<ColumnFamilyDescriptor>();
        try (var options = new DBOptions()) {
            OptionsUtil.loadLatestOptions(new ConfigOptions(), arguments[0], options, families);
            options.setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
            try (var rocks = RocksDB.open(options, arguments[1], families, new ArrayList<ColumnFamilyHandle>());
                    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                var raw = new RawRocksDb(rocks);
                System.out.println("ready");
                for (var line = input.readLine(); line != null; line = input.readLine()) {
                    var words = line.split(" ", -1);
                    raw.run(Integer.parseInt(words[0]), Duration.ofMillis(Long.parseLong(words[1])));
                }
            }
        }
    }

    private void run(int threadCount, Duration duration) throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        long written = 0;
        try (var threads = Executors.newFixedThreadPool(threadCount)) {
            var runs = new ArrayList<Future<Long>>();
            for (int thread = 0; thread < threadCount; thread++) {
                runs.add(threads.submit(writes(start + duration.toNanos())));
            }
            for (var run : runs) {
                written += run.get();
            }
        }
        System.out.println("wrote " + written + " " + (System.nanoTime() - start));
    }

    private Callable<Long> writes(long endNanos) {
        return () -> {
            long written = 0;
            while (System.nanoTime() < endNanos) {
                try (var batch = new WriteBatch()) {
                    addRowsOfCreate(batch, numbers.incrementAndGet());
                    rocks.write(synced, batch);
                }
                written++;
            }
            return written;
        };
    }

    private static void addRowsOfCreate(WriteBatch batch, long number) throws RocksDBException {
        var id = SampleItem.id(number);
        var partitionKey = PartitionKey.parse("[\"" + id + "\"]");
        var key =
                ItemKey.of(new LogicalPartition(EffectivePartitionKey.of(partitionKey, DEFINITION), partitionKey), id);
        var entry = new LogEntry(LogEntry.Change.CREATE, 0, number, Optional.empty(), key);
        batch.put(row(key.bytes()), ITEM);
        batch.put(row(DocumentKey.encode(number)), key.bytes());
        batch.put(row(new LogKey(number, 0).encode()), entry.encode());
        batch.put(row(PartitionState.key()), new PartitionState(number, 0, number, number, number, 0, 0).encode());
        batch.put(row(new byte[0]), GUARD);
    }

    /** Keys begin with the number of their partition. */
    private static byte[] row(byte[] key) {
        return ByteBuffer.allocate(Long.BYTES + key.length).putLong(1).put(key).array();
    }
}
