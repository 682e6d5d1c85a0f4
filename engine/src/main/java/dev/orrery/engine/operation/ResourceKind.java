package dev.orrery.engine.operation;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of resource: how each is spelled in an address, and how a list of them is called. */
public enum ResourceKind {
    DATABASE("dbs", "Databases"),
    CONTAINER("colls", "DocumentCollections"),
    ITEM("docs", "Documents"),
    STORED_PROCEDURE("sprocs", "StoredProcedures"),
    TRIGGER("triggers", "Triggers"),
    USER_DEFINED_FUNCTION("udfs", "UserDefinedFunctions"),
    CONFLICT("conflicts", "Conflicts"),
    PARTITION_RANGE("pkranges", "PartitionKeyRanges"),
    USER("users", "Users"),
    PERMISSION("permissions", "Permissions"),
    CLIENT_ENCRYPTION_KEY("clientencryptionkeys", "ClientEncryptionKeys"),
    OFFER("offers", "Offers"),
    ATTACHMENT("attachments", "Attachments");

    private static final Map<String, ResourceKind> BY_SEGMENT =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ResourceKind::segment, kind -> kind));

    private final String segment;
    private final String feedName;

    ResourceKind(String segment, String feedName) {
        this.segment = segment;
        this.feedName = feedName;
    }

    /** The word in an address that stands before an id of this kind. */
    public String segment() {
        return segment;
    }

    /** The member of a feed's envelope that holds the resources. */
    public String feedName() {
        return feedName;
    }

    public static Optional<ResourceKind> find(String segment) {
        return Optional.ofNullable(BY_SEGMENT.get(segment));
    }
}
