/** The same requests in ever larger containers. Begin with {@link ScaleBench}. */
package dev.orrery.bench.scale;
