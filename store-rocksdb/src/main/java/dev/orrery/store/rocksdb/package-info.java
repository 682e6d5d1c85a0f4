/** The store contract on RocksDB. Begin with {@link RocksDbStore}. */
package dev.orrery.store.rocksdb;
