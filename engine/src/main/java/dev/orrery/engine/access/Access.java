package dev.orrery.engine.access;

import dev.orrery.engine.access.AccessRules.Target;
import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.PermissionDefinition;
import dev.orrery.model.json.JsonValue.Obj;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Decides whether a caller may do what it asks for, and gives out the tokens of permissions. */
public final class Access {
    private final Catalog catalog;
    private final AccessTokens tokens;

    public Access(Catalog catalog, Supplier<List<byte[]>> tokenSecrets, InstantSource clock) {
        this.catalog = catalog;
        tokens = new AccessTokens(tokenSecrets, clock);
    }

    /** Refuses what the caller may not do, and what would be refused only after it was done. */
    public void demand(Caller caller, Operation operation) {
        switch (caller.principal()) {
            case Principal.Owner _ -> {}
            case Principal.Reader _ ->
                forbidUnless(AccessRules.permitsReader(operation), "The key is for reading only, and not permissions.");
            case Principal.TokenHolder(String token) ->
                forbidUnless(permits(tokens.prove(token), operation), "The token does not permit this operation.");
        }
        AccessTokens.demandValidity(tokenSeconds(operation));
    }

    private boolean permits(AccessClaims claims, Operation operation) {
        var permission = catalog.find(claims.permission());
        forbidUnless(permission.isPresent(), "The permission of the token has been deleted.");
        var target = target(operation.about());
        var granted =
                permission.map(Resource::json).map(PermissionDefinition::parse).flatMap(this::grant);
        // A token says what its permission said when it was made; what was taken back since then counts at once.
        forbidUnless(
                granted.filter(grant -> AccessRules.permits(grant, operation, target))
                        .isPresent(),
                "The permission of the token does not permit this operation.");
        return AccessRules.permits(claims.grant(), operation, target);
    }

    /** What a permission opens now, if there is what it is about. */
    private Optional<Grant> grant(PermissionDefinition permission) {
        return catalog.find(Grant.owner(permission)).map(owner -> Grant.of(permission, owner.rid()));
    }

    /** The database and the container on the way to an address. */
    private Target target(Address address) {
        Optional<Rid> database = Optional.empty();
        Optional<Rid> container = Optional.empty();
        for (var way = address; !way.isAccount(); way = way.parent()) {
            if (way.last().kind() == ResourceKind.DATABASE) {
                database = catalog.find(way).map(Resource::rid);
            } else if (way.last().kind() == ResourceKind.CONTAINER) {
                container = catalog.find(way).map(Resource::rid);
            }
        }
        return new Target(database, container);
    }

    private static int tokenSeconds(Operation operation) {
        return switch (operation) {
            case Operation.CreateResource create -> create.tokenSeconds();
            case Operation.ReadResource read -> read.tokenSeconds();
            case Operation.ReplaceResource replace -> replace.tokenSeconds();
            case Operation.DeleteResource _,
                    Operation.ListResources _,
                    Operation.QueryResources _,
                    Operation.ReadRanges _,
                    Operation.ReadProgress _,
                    Operation.ReadItem _,
                    Operation.WriteItem _,
                    Operation.ExecuteProcedure _,
                    Operation.DeletePartition _,
                    Operation.ListItems _,
                    Operation.ReadChanges _,
                    Operation.QueryItems _,
                    Operation.PlanQuery _,
                    Operation.Batch _ -> AccessTokens.UNSTATED_SECONDS;
        };
    }

    /** A resource as clients see it: a permission has a fresh token each time, as long as there is what it opens. */
    public Obj presented(Resource resource, int tokenSeconds) {
        if (resource.kind() != ResourceKind.PERMISSION) {
            return resource.json();
        }
        return grant(PermissionDefinition.parse(resource.json()))
                .map(grant -> tokens.issue(resource.rid(), resource.parent().orElseThrow(), grant, tokenSeconds))
                .map(token -> PermissionDefinition.withToken(resource.json(), token))
                .orElse(resource.json());
    }

    /** Refuses a permission for a partition key that could not be. What it is for may come later. */
    public void demandTarget(PermissionDefinition permission) {
        catalog.find(Grant.owner(permission))
                .flatMap(owner -> catalog.findContainer(owner.rid()))
                .ifPresent(container -> permission
                        .resourcePartitionKey()
                        .ifPresent(container.definition().partitionKey()::requirePrefix));
    }

    private static void forbidUnless(boolean permitted, String message) {
        if (!permitted) {
            throw new FailureException(new Failure.Forbidden(message));
        }
    }
}
