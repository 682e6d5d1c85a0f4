package dev.orrery.engine.access;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.PermissionDefinition.Mode;
import dev.orrery.model.key.PartitionKey;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what a token opens.
 *
 * <p>Whatever is not named here is closed. A token never changes a container itself, nor anything beside containers.
 * Every token may read its container and the ranges of it, since SDKs do that before anything else.
 */
public final class AccessRules {
    /** What else lies in a container and is not an item. */
    private static final Set<ResourceKind> BESIDE_ITEMS = Set.of(
            ResourceKind.STORED_PROCEDURE,
            ResourceKind.TRIGGER,
            ResourceKind.USER_DEFINED_FUNCTION,
            ResourceKind.CONFLICT);

    private final Grant grant;
    private final Target target;

    /** The database and the container that an operation's address leads to, as far as it goes and they exist. */
    public record Target(Optional<Rid> database, Optional<Rid> container) {}

    private AccessRules(Grant grant, Target target) {
        this.grant = grant;
        this.target = target;
    }

    public static boolean permits(Grant grant, Operation operation, Target target) {
        return new AccessRules(grant, target).permits(operation);
    }

    private boolean permits(Operation operation) {
        return switch (operation) {
            case Operation.ReadResource read -> mayRead(read.address());
            case Operation.ReadRanges _ -> isContainerOpen();
            case Operation.ReadProgress progress -> progress.place().isAccount() || isContainerOpen();
            case Operation.ListResources list -> mayList(list.kind());
            case Operation.QueryResources query -> mayList(query.kind());
            case Operation.CreateResource create -> mayCreate(create.kind());
            case Operation.ReplaceResource replace -> mayChange(replace.address());
            case Operation.DeleteResource delete -> mayChange(delete.address());
            case Operation.ReadItem read -> isContainerOpen() && isItemOpen(read.id()) && isOpen(read.partition());
            case Operation.WriteItem write ->
                mayWrite() && isContainerOpen() && isItemOpen(write.write()) && isOpen(write.partition());
            case Operation.ExecuteProcedure execute ->
                mayWrite()
                        && isContainerOpen()
                        && isOpenTo(new Address.Segment(ResourceKind.STORED_PROCEDURE, execute.id()))
                        && isOpen(execute.partition());
            case Operation.DeletePartition delete ->
                mayWrite() && isWholeContainerOpen() && isOpen(Optional.of(delete.partition()));
            case Operation.ListItems list ->
                isWholeContainerOpen() && isOpen(list.scope().partition());
            case Operation.ReadChanges read ->
                isWholeContainerOpen() && isOpen(read.scope().partition());
            case Operation.QueryItems query ->
                isWholeContainerOpen() && isOpen(query.scope().partition());
            case Operation.PlanQuery plan -> isWholeContainerOpen() && isPlanOpen(plan.partition());
            case Operation.Batch batch -> isWholeContainerOpen() && isOpen(batch);
        };
    }

    // ---- containers and what lies in them beside items ----

    private boolean mayRead(Address address) {
        if (address.isAccount()) {
            return true;
        }
        return switch (address.last().kind()) {
            case DATABASE -> isDatabaseOpen();
            case CONTAINER -> isContainerOpen();
            case STORED_PROCEDURE, TRIGGER, USER_DEFINED_FUNCTION, CONFLICT -> isChildOpen(address.last());
            case ITEM, PARTITION_RANGE, USER, PERMISSION, CLIENT_ENCRYPTION_KEY, OFFER, ATTACHMENT -> false;
        };
    }

    private boolean mayList(ResourceKind kind) {
        return switch (kind) {
            case CONTAINER -> isDatabaseOpen();
            case PARTITION_RANGE -> isContainerOpen();
            case STORED_PROCEDURE, TRIGGER, USER_DEFINED_FUNCTION, CONFLICT ->
                isWholeContainerOpen() && grant.partition().isEmpty();
            case DATABASE, ITEM, USER, PERMISSION, CLIENT_ENCRYPTION_KEY, OFFER, ATTACHMENT -> false;
        };
    }

    private boolean mayCreate(ResourceKind kind) {
        return mayWrite()
                && BESIDE_ITEMS.contains(kind)
                && isWholeContainerOpen()
                && grant.partition().isEmpty();
    }

    private boolean mayChange(Address address) {
        return mayWrite()
                && !address.isAccount()
                && BESIDE_ITEMS.contains(address.last().kind())
                && isChildOpen(address.last());
    }

    // ---- items ----

    private boolean isItemOpen(String id) {
        return isOpenTo(new Address.Segment(ResourceKind.ITEM, id));
    }

    private boolean isItemOpen(ItemWrite write) {
        return switch (write) {
            // Which item these mean stands in the body; whoever may touch but one item has no need of them.
            case ItemWrite.Create _, ItemWrite.Upsert _ -> grant.child().isEmpty();
            case ItemWrite.Replace replace -> isItemOpen(replace.id());
            case ItemWrite.Patch patch -> isItemOpen(patch.id());
            case ItemWrite.Delete delete -> isItemOpen(delete.id());
        };
    }

    private boolean isOpen(Operation.Batch batch) {
        boolean writes = batch.items().stream().anyMatch(item -> item.action() instanceof BatchAction.Write);
        return (!writes || mayWrite()) && batch.items().stream().allMatch(item -> isOpen(batch.scope(), item));
    }

    private boolean isOpen(Scope scope, BatchItem item) {
        return isOpen(item.partition().or(scope::partition));
    }

    /** A plan tells nothing about items, and SDKs may ask for one without saying where the query goes. */
    private boolean isPlanOpen(Optional<PartitionKey> partition) {
        return partition.isEmpty() || isOpen(partition);
    }

    // ---- parts ----

    private boolean mayWrite() {
        return grant.mode() == Mode.ALL;
    }

    private boolean isDatabaseOpen() {
        return target.database().equals(Optional.of(grant.resource()));
    }

    private boolean isContainerOpen() {
        return target.container().isPresent()
                && (target.container().get().equals(grant.resource()) || isDatabaseOpen());
    }

    private boolean isWholeContainerOpen() {
        return isContainerOpen() && grant.child().isEmpty();
    }

    private boolean isChildOpen(Address.Segment child) {
        return isContainerOpen() && isOpenTo(child) && grant.partition().isEmpty();
    }

    private boolean isOpenTo(Address.Segment child) {
        return grant.child().isEmpty() || grant.child().get().equals(child);
    }

    private boolean isOpen(Optional<PartitionKey> partition) {
        return grant.partition().isEmpty()
                || partition.filter(grant.partition().get()::isPrefixOf).isPresent();
    }

    // ---- read-only keys ----

    /** The holder of a read-only key reads everything but permissions, whose tokens could open more. */
    public static boolean permitsReader(Operation operation) {
        return switch (operation) {
            case Operation.ReadResource read ->
                read.address().isAccount() || read.address().last().kind() != ResourceKind.PERMISSION;
            case Operation.ListResources list -> list.kind() != ResourceKind.PERMISSION;
            case Operation.QueryResources query -> query.kind() != ResourceKind.PERMISSION;
            case Operation.Batch batch ->
                batch.items().stream().allMatch(item -> item.action() instanceof BatchAction.Read);
            case Operation.ReadRanges _,
                    Operation.ReadProgress _,
                    Operation.ReadItem _,
                    Operation.ListItems _,
                    Operation.ReadChanges _,
                    Operation.QueryItems _,
                    Operation.PlanQuery _ -> true;
            case Operation.CreateResource _,
                    Operation.ReplaceResource _,
                    Operation.DeleteResource _,
                    Operation.WriteItem _,
                    Operation.ExecuteProcedure _,
                    Operation.DeletePartition _ -> false;
        };
    }
}
