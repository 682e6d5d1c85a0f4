package dev.orrery.sql.bind;

import java.util.List;

/**
 * A whole bound query.
 *
 * @param parameters the names of its parameters with their {@code @}; {@link Bound.Parameter} counts from the first
 * @param slots how many slots its frame needs
 * @param callsUserFunctions whether it calls user-defined functions
 */
public record BoundStatement(BoundQuery query, List<String> parameters, int slots, boolean callsUserFunctions) {
    public BoundStatement {
        parameters = List.copyOf(parameters);
    }
}
