package dev.orrery.engine.access;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.PermissionDefinition;
import dev.orrery.model.definition.PermissionDefinition.Mode;
import dev.orrery.model.key.PartitionKey;
import java.util.Optional;

/**
 * What a permission opens: a database or a container, or only a part of one.
 *
 * @param resource the rid of the database or container, so that one made anew under the same name stays closed
 * @param child one item or script of the container, with its id as the permission's link has it
 * @param partition one logical partition, or all that begin with this key
 */
public record Grant(Mode mode, Rid resource, Optional<Address.Segment> child, Optional<PartitionKey> partition) {
    /** Kind and id of a database, a container and what is in it. */
    private static final int PARTS_MAX = 6;

    /** What a permission grants, once it is known which database or container {@link #owner} is. */
    public static Grant of(PermissionDefinition permission, Rid resource) {
        var address = address(permission);
        var child = isWhole(address) ? Optional.<Address.Segment>empty() : Optional.of(address.last());
        return new Grant(permission.mode(), resource, child, permission.resourcePartitionKey());
    }

    /** The database or container that a permission is about, in whole or in part. */
    public static Address owner(PermissionDefinition permission) {
        var address = address(permission);
        return isWhole(address) ? address : address.parent();
    }

    private static boolean isWhole(Address address) {
        var kind = address.last().kind();
        return kind == ResourceKind.DATABASE || kind == ResourceKind.CONTAINER;
    }

    /** The form of the link has been checked with the permission; slashes in the last of its parts belong to an item's id. */
    private static Address address(PermissionDefinition permission) {
        var address = Address.ACCOUNT;
        var parts = permission.resourceLink().replaceAll("^/|/$", "").split("/", PARTS_MAX);
        for (int i = 0; i < parts.length; i += 2) {
            address = address.child(ResourceKind.find(parts[i]).orElseThrow(), parts[i + 1]);
        }
        return address;
    }
}
