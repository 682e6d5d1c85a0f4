package dev.orrery.engine.budget;

import dev.orrery.engine.charge.Effort;
import java.util.ArrayList;
import java.util.List;

/** What was done for one request, counted: the same for the same request on the same data, on any machine. */
public final class Work {
    private final List<Done> parts = new ArrayList<>();

    record Done(Effort effort, long count, long bytes) {}

    /** Adds something of which each costs the same. */
    public Work add(Effort effort, long count) {
        return add(effort, count, 0);
    }

    /** Adds something whose price depends on its size. Nothing at all is not listed. */
    public Work add(Effort effort, long count, long bytes) {
        if (count > 0) {
            parts.add(new Done(effort, count, bytes));
        }
        return this;
    }

    List<Done> parts() {
        return parts;
    }
}
