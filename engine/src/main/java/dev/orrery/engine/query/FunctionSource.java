package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.sql.run.UserFunctions;

/** Where queries find the user-defined functions of a container. */
public interface FunctionSource {

    /** For one page of a query; costs nothing as long as no function is called. */
    Session open(Container container);

    interface Session extends UserFunctions, AutoCloseable {
        @Override
        void close();
    }
}
