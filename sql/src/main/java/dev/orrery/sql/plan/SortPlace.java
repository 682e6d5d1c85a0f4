package dev.orrery.sql.plan;

import dev.orrery.model.definition.IndexPath.Step;
import java.util.List;
import java.util.Optional;

/**
 * What ORDER BY sorts by.
 *
 * @param place inside an item; empty when it is something else, which no index of single values has
 */
public record SortPlace(Optional<List<Step>> place, boolean descending) {}
