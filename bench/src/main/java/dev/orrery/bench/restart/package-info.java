/** A start after the server was killed. Begin with {@link RestartBench}. */
package dev.orrery.bench.restart;
