package dev.orrery.engine.script;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.query.FunctionSource;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** The user-defined functions of containers, for queries. */
public final class ContainerFunctions implements FunctionSource {
    private final Catalog catalog;
    private final ScriptRunner runner;

    public ContainerFunctions(Catalog catalog, ScriptRunner runner) {
        this.catalog = catalog;
        this.runner = runner;
    }

    @Override
    public Session open(Container container) {
        return new Session() {
            private ScriptRunner.Functions functions;

            @Override
            public JsonValue call(String name, List<JsonValue> arguments) {
                if (functions == null) {
                    functions = runner.functions();
                }
                return functions.call(resolve(container, name), arguments);
            }

            @Override
            public void close() {
                if (functions != null) {
                    functions.close();
                }
            }
        };
    }

    private Script resolve(Container container, String name) {
        return catalog.find(Optional.of(container.rid()), ResourceKind.USER_DEFINED_FUNCTION, name)
                .map(Script::of)
                .orElseThrow(() -> new FailureException(
                        new Failure.BadRequest("The container has no user-defined function '" + name + "'.")));
    }
}
