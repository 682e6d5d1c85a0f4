package dev.orrery.sql.bind;

import dev.orrery.sql.function.ContainerTraits;
import java.util.List;

/**
 * A whole bound query.
 *
 * @param parameters the names of its parameters with their {@code @}; {@link Bound.Parameter} counts from the first
 * @param slots how many slots its frame needs
 * @param callsUserFunctions whether it calls user-defined functions
 * @param container what is to be known about the container that it is bound to
 */
public record BoundStatement(
        BoundQuery query, List<String> parameters, int slots, boolean callsUserFunctions, ContainerTraits container) {

    /**
     * The parameter with what is to be known about all items of a container before texts can be scored; unlike the
     * parameters of clients it has no {@code @}.
     */
    public static final String STATISTICS = "statistics";

    public BoundStatement {
        parameters = List.copyOf(parameters);
    }

    /** The same for items that are known to pass the filter. */
    public BoundStatement withoutFilter() {
        return new BoundStatement(query.withoutFilter(), parameters, slots, callsUserFunctions, container);
    }
}
