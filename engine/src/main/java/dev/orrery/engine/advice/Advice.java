package dev.orrery.engine.advice;

import java.time.Instant;
import java.util.List;

/**
 * What a server has to say on how it is used.
 *
 * @param since when it began to watch
 * @param containers what was asked of each
 * @param findings those that would save the most first
 */
public record Advice(Instant since, List<ContainerUse> containers, List<Finding> findings) {
    public Advice {
        containers = List.copyOf(containers);
        findings = List.copyOf(findings);
    }

    /** How many reads, writes and queries there were. */
    public long requests() {
        return containers.stream().mapToLong(ContainerUse::requests).sum();
    }

    /** What they cost, in request units. */
    public double charge() {
        return containers.stream().mapToDouble(ContainerUse::charge).sum();
    }
}
