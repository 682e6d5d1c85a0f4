package dev.orrery.store.rocksdb;

import java.util.Set;

/**
 * How a store is to work.
 *
 * @param blockCacheBytes memory for blocks read from files
 * @param separateKeySpaces first bytes of keys that live in files of their own, because they come in random order or
 *     are never read one by one; cannot be changed once the store exists
 * @param diskReserveBytes what is to be left of the disk: writes stop there
 */
public record RocksDbSettings(
        Durability durability, long blockCacheBytes, Set<Byte> separateKeySpaces, long diskReserveBytes) {

    private static final long BLOCK_CACHE_BYTES = 256L << 20;

    public static final RocksDbSettings DEFAULT =
            new RocksDbSettings(Durability.STRICT, BLOCK_CACHE_BYTES, Set.of(), 0);

    public RocksDbSettings {
        separateKeySpaces = Set.copyOf(separateKeySpaces);
    }

    public RocksDbSettings withDurability(Durability changed) {
        return new RocksDbSettings(changed, blockCacheBytes, separateKeySpaces, diskReserveBytes);
    }

    public RocksDbSettings withBlockCacheBytes(long changed) {
        return new RocksDbSettings(durability, changed, separateKeySpaces, diskReserveBytes);
    }

    public RocksDbSettings withSeparateKeySpaces(Set<Byte> changed) {
        return new RocksDbSettings(durability, blockCacheBytes, changed, diskReserveBytes);
    }

    public RocksDbSettings withDiskReserveBytes(long changed) {
        return new RocksDbSettings(durability, blockCacheBytes, separateKeySpaces, changed);
    }
}
