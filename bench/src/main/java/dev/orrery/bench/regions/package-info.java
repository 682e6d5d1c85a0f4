/** One account in several regions. Begin with {@link RegionBench}. */
package dev.orrery.bench.regions;
