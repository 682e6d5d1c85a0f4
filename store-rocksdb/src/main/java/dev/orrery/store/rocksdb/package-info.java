/** The store contract on RocksDB. */
package dev.orrery.store.rocksdb;
