package dev.orrery.engine.access;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.engine.operation.Operation;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.PermissionDefinition;
import dev.orrery.model.json.JsonValue.Obj;
import java.time.InstantSource;

/** Decides whether a caller may do what it asks for, and gives out the tokens of permissions. */
public final class Access {
    public Access(Catalog catalog, byte[] tokenSecret, InstantSource clock) {}

    public void demand(Caller caller, Operation operation) {
        switch (caller.principal()) {
            case Principal.Owner _ -> {}
            case Principal.Reader _ -> {}
            case Principal.TokenHolder _ -> throw new FailureException(new Failure.Forbidden("Tokens come soon."));
        }
    }

    public Obj presented(Resource resource, int tokenSeconds) {
        return resource.json();
    }

    public void demandTarget(PermissionDefinition permission) {}
}
