package dev.orrery.engine.feed;

import dev.orrery.model.definition.ChangeFeedPolicy;
import dev.orrery.model.definition.ContainerDefinition;
import java.time.Duration;

/**
 * For how long all versions of items can be read.
 *
 * @param byDefault where a container does not say it
 */
public record Retention(Duration byDefault) {
    public static final Retention DEFAULT = new Retention(Duration.ofMinutes(10));

    Duration of(ContainerDefinition container) {
        return container
                .changeFeedPolicy()
                .map(ChangeFeedPolicy::retentionMinutes)
                .filter(minutes -> minutes > 0)
                .map(Duration::ofMinutes)
                .orElse(byDefault);
    }
}
