package dev.orrery.sql.run;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundStatement;
import dev.orrery.sql.function.CallContext;
import dev.orrery.sql.memory.Workspace;
import java.util.Arrays;

/** The state that expressions of one running query read: its slots, its parameters, and what functions may know. */
final class Frame {
    private final JsonValue[] slots;
    private final JsonValue[] parameters;
    private final CallContext context;
    private final UserFunctions userFunctions;
    private final Checkpoint checkpoint;

    Frame(BoundStatement statement, QueryInputs inputs) {
        slots = new JsonValue[statement.slots()];
        Arrays.fill(slots, JsonValue.UNDEFINED);
        parameters = inputs.resolve(statement.parameters());
        userFunctions = inputs.userFunctions();
        checkpoint = inputs.checkpoint();
        var workspace = checkpoint.countsSteps()
                ? Workspace.counting(checkpoint::keep, checkpoint::work)
                : new Workspace(checkpoint::keep, checkpoint::work);
        context = new CallContext(inputs.now(), inputs.random(), statement.container(), workspace);
    }

    JsonValue slot(int index) {
        return slots[index];
    }

    void fill(int slot, JsonValue value) {
        slots[slot] = value;
    }

    JsonValue parameter(int index) {
        return parameters[index];
    }

    CallContext context() {
        return context;
    }

    /** Counts the memory that the query takes: a container can hold more than there is, and expressions make more still. */
    Workspace workspace() {
        return context.workspace();
    }

    UserFunctions userFunctions() {
        return userFunctions;
    }

    /** Counts one tuple, or one on the way to it: a join of a few arrays can make more of them than anybody would wait for. */
    void step() {
        checkpoint.pass();
    }
}
