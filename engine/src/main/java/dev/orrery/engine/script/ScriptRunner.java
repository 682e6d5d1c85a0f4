package dev.orrery.engine.script;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import java.util.List;

/** Runs JavaScript within bounds of time, memory and output; made by the server, so that the engine knows no language. */
public interface ScriptRunner extends AutoCloseable {

    /**
     * Reads the body of a script and runs nothing of it.
     *
     * @throws dev.orrery.model.FailureException when it is not one that could be run, with the place of the mistake
     */
    void check(String name, String body);

    /**
     * Runs a script to its end, with everything it waits for.
     *
     * @throws dev.orrery.model.FailureException when it throws, aborts, cannot be read, or leaves its bounds
     */
    ScriptResult run(ScriptCall call, ScriptHost host);

    /** For the user-defined functions of one page of a query; for one thread. */
    Functions functions();

    /** Says that scripts may be run soon. */
    void expect();

    @Override
    void close();

    /** For a database without scripts. */
    static ScriptRunner none() {
        return new ScriptRunner() {
            @Override
            public void check(String name, String body) {}

            @Override
            public ScriptResult run(ScriptCall call, ScriptHost host) {
                throw unsupported();
            }

            @Override
            public Functions functions() {
                throw unsupported();
            }

            @Override
            public void expect() {}

            @Override
            public void close() {}

            private static FailureException unsupported() {
                return new FailureException(new Failure.Unsupported("This database runs no scripts."));
            }
        };
    }

    /** User-defined functions while they are called. */
    interface Functions extends AutoCloseable {
        JsonValue call(Script function, List<JsonValue> arguments);

        @Override
        void close();
    }
}
