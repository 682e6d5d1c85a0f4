package dev.orrery.engine.advice;

import java.time.Instant;
import java.util.List;

/**
 * What a server has to say on how it is used.
 *
 * @param since when it began to watch
 * @param requests how many reads, writes and queries it has seen
 * @param charge what they cost, in request units
 * @param findings those that would save the most first
 */
public record Advice(Instant since, long requests, double charge, List<Finding> findings) {
    public Advice {
        findings = List.copyOf(findings);
    }
}
