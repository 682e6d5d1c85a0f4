/** The Java SDK over https and in Direct mode. Begin with {@link DirectBench}. */
package dev.orrery.bench.direct;
