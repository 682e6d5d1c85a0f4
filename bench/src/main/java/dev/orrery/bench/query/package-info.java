/** Queries, in the engine alone and over HTTP beside PostgreSQL. Begin with {@link QueryBench}. */
package dev.orrery.bench.query;
