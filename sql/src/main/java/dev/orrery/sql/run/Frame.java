package dev.orrery.sql.run;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.function.CallContext;
import java.util.Arrays;

/** The state that expressions of one running query read: its slots, its parameters, and what functions may know. */
final class Frame {
    private final JsonValue[] slots;
    private final JsonValue[] parameters;
    private final CallContext context;
    private final UserFunctions userFunctions;
    private final Checkpoint checkpoint;
    private long kept;

    Frame(int slots, JsonValue[] parameters, CallContext context, UserFunctions userFunctions, Checkpoint checkpoint) {
        this.slots = new JsonValue[slots];
        Arrays.fill(this.slots, JsonValue.UNDEFINED);
        this.parameters = parameters;
        this.context = context;
        this.userFunctions = userFunctions;
        this.checkpoint = checkpoint;
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

    UserFunctions userFunctions() {
        return userFunctions;
    }

    /** Counts what is kept for later: a container can hold more than the memory. */
    void keep(long bytes) {
        kept += bytes;
        checkpoint.keep(bytes);
    }

    /** How much is kept, for {@link #forget}. */
    long kept() {
        return kept;
    }

    /** Lets go of all that was kept since. */
    void forget(long keptBefore) {
        keep(keptBefore - kept);
    }

    /** Counts one tuple: a join of a few arrays can make more of them than anybody would wait for. */
    void step() {
        checkpoint.pass();
    }
}
