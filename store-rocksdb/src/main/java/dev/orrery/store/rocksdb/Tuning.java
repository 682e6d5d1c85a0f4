package dev.orrery.store.rocksdb;

import java.util.List;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.WALRecoveryMode;

/** The options of RocksDB, all in one place, with the reason for each that is not its default. */
final class Tuning {

    private static final long MEGABYTE = 1L << 20;
    private static final int BLOOM_BITS_PER_KEY = 10; // One absent key in a hundred costs a useless look.

    /** Rows that a scan may have to pass over: as many in memory, twice as many in a file. */
    private static final int REMOVED_IN_MEMORY_MAX = 4_000;

    private static final int REMOVED_MAX = 2 * REMOVED_IN_MEMORY_MAX;
    private static final int ENTRIES_PER_ITEM = 8; // Of an index, each for another place.

    private final long mainMemoryBytes;
    private final long separateMemoryBytes;

    /**
     * What is sorted in memory before it becomes a file. The more that is, the less often everything is merged: with
     * twice as much, a store of 20 GB has a third less to write. It takes its share of what the user grants the cache.
     */
    Tuning(long cacheBytes) {
        separateMemoryBytes = Math.clamp(cacheBytes / 16, 64 * MEGABYTE, 128 * MEGABYTE);
        mainMemoryBytes = separateMemoryBytes / 2; // About the proportion in which they fill.
    }

    DBOptions database() {
        // Not among the setters of the Java API. Each log then also knows the one before, so that a log that has lost
        // its
        // end, or that is missing, stops the start instead of leaving a hole in the history.
        var unreachable = new Properties();
        unreachable.setProperty("track_and_verify_wals", "true");
        // The manifest also gets a checksum of every sorted file (Manifest).
        unreachable.setProperty("file_checksum_gen_factory", "FileChecksumGenCrc32cFactory");
        return withLogsOfManifest(unreachable)
                .setCreateMissingColumnFamilies(true)
                // What a crash may leave has been cut off before (LogCheck); nothing else may be wrong. The mode that
                // RocksDB prefers, recovery to a point in time, would drop it silently with all that came after.
                .setWalRecoveryMode(WALRecoveryMode.AbsoluteConsistency)
                // Bounds the replay after a crash when one family is hardly written and keeps old logs alive.
                .setMaxTotalWalSize(2 * (mainMemoryBytes + separateMemoryBytes))
                // There is one writer at a time (WriteQueue), so that locking inside RocksDB is in vain.
                .setAllowConcurrentMemtableWrite(false)
                .setEnableWriteThreadAdaptiveYield(false)
                .setMaxBackgroundJobs(2)
                // Otherwise a flush hands the disk all its bytes at the end, and commits wait behind them.
                .setBytesPerSync(MEGABYTE)
                // Closing a cursor may be the last use of an old file; its deletion is not the reader's work.
                .setAvoidUnnecessaryBlockingIO(true)
                // A quiet log of bounded size, and no work when idle.
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(MEGABYTE)
                .setKeepLogFileNum(2)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    /**
     * For reading beside a database that has failed to write. Its last log may end with what failed, which is passed over:
     * that all is there which succeeded is seen by the number of its last group.
     */
    static DBOptions readOnly() {
        return withLogsOfManifest(new Properties()).setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery);
    }

    /** For reading what is left of a damaged store: damage is met where it is read, and stops nothing else. */
    static DBOptions salvage() {
        return withLogsOfManifest(new Properties())
                .setParanoidChecks(false)
                .setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords);
    }

    /**
     * The manifest knows the size of every finished log. Whoever opens such a database has to compare them: without this,
     * RocksDB would take them out of the manifest, and when it opens for reading only, that ends the process.
     */
    private static DBOptions withLogsOfManifest(Properties unreachable) {
        unreachable.setProperty("track_and_verify_wals_in_manifest", "true");
        var options = DBOptions.getDBOptionsFromProps(unreachable);
        if (options == null) {
            throw new IllegalStateException("RocksDB does not know the options " + unreachable);
        }
        return options;
    }

    /** For rows found by their whole key. */
    ColumnFamilyOptions main(Cache cache, BloomFilter filter) {
        return family(
                        mainMemoryBytes,
                        REMOVED_MAX,
                        table(cache)
                                // Whole keys only: all scans go to partitions that exist, which a filter of prefixes
                                // could not help.
                                .setFilterPolicy(filter)
                                .setWholeKeyFiltering(true)
                                // An item is often read alone: a larger block would be unpacked for it in vain.
                                .setBlockSize(8 * 1024)
                                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash))
                .setCompressionPerLevel(compression(CompressionType.ZSTD_COMPRESSION));
    }

    /** For rows that are only scanned: no filter. */
    ColumnFamilyOptions separate(Cache cache) {
        // Many small rows in random order, each of which is merged several times: the more of them are sorted in
        // memory, the less often. ZSTD would cost more than all the rest of merging and gain little on them.
        return family(separateMemoryBytes, REMOVED_MAX * ENTRIES_PER_ITEM, table(cache))
                .setCompressionPerLevel(compression(CompressionType.LZ4_COMPRESSION));
    }

    /**
     * What is young is soon written again: no time is spent on it. Up to some ten gigabytes, unpacking should take no more
     * time than the rest of a read; beyond, the size on disk counts for more.
     */
    private static List<CompressionType> compression(CompressionType last) {
        return List.of(
                CompressionType.NO_COMPRESSION,
                CompressionType.NO_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                CompressionType.LZ4_COMPRESSION,
                last,
                last,
                last);
    }

    static BloomFilter filter() {
        return new BloomFilter(BLOOM_BITS_PER_KEY);
    }

    private static BlockBasedTableConfig table(Cache cache) {
        return new BlockBasedTableConfig()
                .setBlockCache(cache)
                // Items have about a kilobyte: a scan finds a dozen of them per look into the cache.
                .setBlockSize(16 * 1024)
                // Counted against the cache, so that memory stays bounded however much data there is.
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true);
    }

    private static ColumnFamilyOptions family(long memoryBytes, int removedMax, BlockBasedTableConfig table) {
        return withFewRemoved(removedMax)
                .setTableFormatConfig(table)
                .setWriteBufferSize(memoryBytes)
                .setMaxWriteBufferNumber(3) // One more than needed, so that a slow flush does not stop commits.
                // Dropped partitions are ranges that every read has to look up; in files they are found faster.
                .setMemtableMaxRangeDeletions(256)
                .setMaxBytesForLevelBase(4 * memoryBytes) // As much as level 0 holds when it is merged.
                .setTargetFileSizeBase(32 * MEGABYTE);
    }

    /**
     * A removed row stays, marked as removed, until files are merged, and a scan has to pass over it. Where rows come and
     * go, as in a queue or a list of the latest hundred, a scan soon passes over thousands for each that is there. So a
     * scan that does so has the memory written to a file, and files that hold many such rows side by side are merged.
     * Each merge writes hundreds of megabytes: a scan that is slowed down by a millisecond costs less.
     */
    private static ColumnFamilyOptions withFewRemoved(int filesMax) {
        // Neither is among the setters of families in the Java API.
        var unreachable = new Properties();
        unreachable.setProperty("memtable_op_scan_flush_trigger", Integer.toString(REMOVED_IN_MEMORY_MAX));
        unreachable.setProperty("memtable_avg_op_scan_flush_trigger", "32");
        try (var scans = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(unreachable);
                var none = new DBOptions();
                var options = new Options(none, scans);
                var files = TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(
                        2L * filesMax, filesMax, 0)) {
            options.setTablePropertiesCollectorFactory(List.of(files));
            return new ColumnFamilyOptions(options);
        }
    }
}
