/** What requests cost, beside what was published. Begin with {@link ChargesBench}. */
package dev.orrery.bench.charges;
