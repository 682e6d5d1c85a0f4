package dev.orrery.gateway.hybridrow;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * An operation of a batch, read from its row:
 *
 * <pre>
 * 81 7054E17F  presence:1  operationType:4  resourceType:4
 *              partitionKey  effectivePartitionKey  id  binaryId  resourceBody   only those present, each: length, bytes
 *              {type:1  path  value}                                             the sparse fields, until the end
 * </pre>
 *
 * The bits of {@code presence}, from the lowest, stand for the seven fields that have no path. The two numbers take their
 * place even when they are absent. Lengths and paths are varuints: a path that is the place of a field in the schema names
 * that field, a larger one is the length of a name that follows.
 */
public final class OperationRow {
    private static final int SCHEMA = 2145473648;

    /** The fields by their place in the schema, which counts from one. */
    private static final List<String> PATHS = List.of(
            "",
            "operationType",
            "resourceType",
            "partitionKey",
            "effectivePartitionKey",
            "id",
            "binaryId",
            "resourceBody",
            "indexingDirective",
            "ifMatch",
            "ifNoneMatch",
            "timeToLiveInSeconds",
            "minimalReturnPreference");

    private static final int FALSE = 2;
    private static final int TRUE = 3;
    private static final int INT32 = 7;
    private static final int UTF8 = 20;

    private final Optional<Integer> operationType;
    private final Optional<Integer> resourceType;
    private final Optional<String> partitionKey;
    private final boolean hasEffectivePartitionKey;
    private final Optional<String> id;
    private final boolean hasBinaryId;
    private final Optional<byte[]> resourceBody;
    private Optional<String> indexingDirective = Optional.empty();
    private Optional<String> ifMatch = Optional.empty();
    private Optional<String> ifNoneMatch = Optional.empty();
    private boolean hasTimeToLive;
    private boolean minimalReturnPreference;

    private OperationRow(RowReader row) {
        int presence = row.uint8("the presence bits of an operation");
        int operation = row.int32("operationType");
        int resource = row.int32("resourceType");
        operationType = isPresent(presence, 0) ? Optional.of(operation) : Optional.empty();
        resourceType = isPresent(presence, 1) ? Optional.of(resource) : Optional.empty();
        partitionKey = isPresent(presence, 2) ? Optional.of(row.utf8("partitionKey")) : Optional.empty();
        hasEffectivePartitionKey = isPresent(presence, 3);
        if (hasEffectivePartitionKey) {
            row.skip("effectivePartitionKey");
        }
        id = isPresent(presence, 4) ? Optional.of(row.utf8("id")) : Optional.empty();
        hasBinaryId = isPresent(presence, 5);
        if (hasBinaryId) {
            row.skip("binaryId");
        }
        resourceBody = isPresent(presence, 6) ? Optional.of(row.binary("resourceBody")) : Optional.empty();
        while (row.remaining() > 0) {
            readSparse(row);
        }
    }

    /** A row that is anything but a whole operation is a bad request. */
    public static OperationRow decode(ByteBuffer bytes) {
        var row = new RowReader(bytes);
        int schema = row.schemaId();
        if (schema != SCHEMA) {
            throw RowReader.bad("Its schema is " + schema + ", an operation of a batch has " + SCHEMA + ".");
        }
        return new OperationRow(row);
    }

    private static boolean isPresent(int presence, int bit) {
        return (presence >> bit & 1) == 1;
    }

    private void readSparse(RowReader row) {
        int type = row.uint8("the type of a field");
        var path = path(row);
        switch (path) {
            case "indexingDirective" -> indexingDirective = Optional.of(utf8(row, type, path));
            case "ifMatch" -> ifMatch = Optional.of(utf8(row, type, path));
            case "ifNoneMatch" -> ifNoneMatch = Optional.of(utf8(row, type, path));
            case "timeToLiveInSeconds" -> {
                demandType(type == INT32, type, path);
                row.int32(path);
                hasTimeToLive = true;
            }
            case "minimalReturnPreference" -> {
                demandType(type == TRUE || type == FALSE, type, path);
                minimalReturnPreference = type == TRUE;
            }
            // Its meaning is unknown, and for most types so is its end.
            default ->
                throw RowReader.bad("It has a field that an operation of a batch does not have: '" + path + "'.");
        }
    }

    private static String path(RowReader row) {
        long number = row.varuint("the path of a field");
        return number < PATHS.size() ? PATHS.get((int) number) : row.text(number - PATHS.size(), "the name of a field");
    }

    private static String utf8(RowReader row, int type, String path) {
        demandType(type == UTF8, type, path);
        return row.utf8(path);
    }

    private static void demandType(boolean fits, int type, String path) {
        if (!fits) {
            throw RowReader.bad("Its " + path + " has the type code " + type + ", which does not fit.");
        }
    }

    public Optional<Integer> operationType() {
        return operationType;
    }

    public Optional<Integer> resourceType() {
        return resourceType;
    }

    public Optional<String> partitionKey() {
        return partitionKey;
    }

    public boolean hasEffectivePartitionKey() {
        return hasEffectivePartitionKey;
    }

    public Optional<String> id() {
        return id;
    }

    public boolean hasBinaryId() {
        return hasBinaryId;
    }

    public Optional<byte[]> resourceBody() {
        return resourceBody;
    }

    public Optional<String> indexingDirective() {
        return indexingDirective;
    }

    public Optional<String> ifMatch() {
        return ifMatch;
    }

    public Optional<String> ifNoneMatch() {
        return ifNoneMatch;
    }

    public boolean hasTimeToLive() {
        return hasTimeToLive;
    }

    public boolean minimalReturnPreference() {
        return minimalReturnPreference;
    }
}
