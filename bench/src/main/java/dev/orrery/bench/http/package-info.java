/**
 * Single requests over HTTP, beside what limits them: a bare Netty and a bare RocksDB. Begin with {@link HttpBench}.
 */
package dev.orrery.bench.http;
