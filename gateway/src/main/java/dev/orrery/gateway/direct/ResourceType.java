package dev.orrery.gateway.direct;

import dev.orrery.engine.operation.ResourceKind;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The kind of resource that a frame is about, and the tokens that hold the names on the way to it. */
enum ResourceType {
    DATABASE(0x01, ResourceKind.DATABASE, RequestToken.DATABASE_NAME),
    CONTAINER(0x02, ResourceKind.CONTAINER, RequestToken.CONTAINER_NAME, DATABASE),
    ITEM(0x03, ResourceKind.ITEM, RequestToken.ITEM_NAME, CONTAINER),
    USER(0x05, ResourceKind.USER, RequestToken.USER_NAME, DATABASE),
    PERMISSION(0x06, ResourceKind.PERMISSION, RequestToken.PERMISSION_NAME, USER),
    PROCEDURE(0x07, ResourceKind.STORED_PROCEDURE, RequestToken.PROCEDURE_NAME, CONTAINER),
    CONFLICT(0x08, ResourceKind.CONFLICT, RequestToken.CONFLICT_NAME, CONTAINER),
    TRIGGER(0x09, ResourceKind.TRIGGER, RequestToken.TRIGGER_NAME, CONTAINER),
    FUNCTION(0x0a, ResourceKind.USER_DEFINED_FUNCTION, RequestToken.FUNCTION_NAME, CONTAINER),
    ENCRYPTION_KEY(0x23, ResourceKind.CLIENT_ENCRYPTION_KEY, RequestToken.ENCRYPTION_KEY_NAME, DATABASE);

    private static final Map<Integer, ResourceType> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(type -> type.code, Function.identity()));

    private final int code;
    private final ResourceKind kind;
    private final int nameToken;
    private final Optional<ResourceType> owner;

    ResourceType(int code, ResourceKind kind, int nameToken) {
        this(code, kind, nameToken, Optional.empty());
    }

    ResourceType(int code, ResourceKind kind, int nameToken, ResourceType owner) {
        this(code, kind, nameToken, Optional.of(owner));
    }

    ResourceType(int code, ResourceKind kind, int nameToken, Optional<ResourceType> owner) {
        this.code = code;
        this.kind = kind;
        this.nameToken = nameToken;
        this.owner = owner;
    }

    static Optional<ResourceType> find(int code) {
        return Optional.ofNullable(BY_CODE.get(code));
    }

    ResourceKind kind() {
        return kind;
    }

    int nameToken() {
        return nameToken;
    }

    /** Whether it lives in the account rather than in a range of a container. */
    boolean describes() {
        return switch (this) {
            case DATABASE, CONTAINER, USER, PERMISSION, ENCRYPTION_KEY -> true;
            case ITEM, PROCEDURE, CONFLICT, TRIGGER, FUNCTION -> false;
        };
    }

    Optional<ResourceType> owner() {
        return owner;
    }
}
