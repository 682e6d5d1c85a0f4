package dev.orrery.engine.observe;

/**
 * Queries that were refused for want of an index.
 *
 * @param rows how many a call would have given at most, by the last one
 * @param charge about what it would have cost then, in request units
 */
public record Refusals(long calls, long rows, double charge) {
    public Refusals plus(Refusals later) {
        return new Refusals(calls + later.calls, later.rows, later.charge);
    }
}
