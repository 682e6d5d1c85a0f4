package dev.orrery.sql.function;

import dev.orrery.sql.memory.Workspace;
import dev.orrery.sql.text.Texts;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** What functions may know besides their arguments: the fixed time of the query, its random numbers, and so on. */
public record CallContext(
        Instant now,
        RandomGenerator random,
        Patterns patterns,
        Shapes shapes,
        Texts texts,
        ContainerTraits container,
        Workspace workspace) {

    public CallContext(Instant now, RandomGenerator random, ContainerTraits container, Workspace workspace) {
        this(
                now,
                random,
                new Patterns(workspace),
                new Shapes(container.geospatial(), workspace),
                new Texts(workspace),
                container,
                workspace);
    }
}
