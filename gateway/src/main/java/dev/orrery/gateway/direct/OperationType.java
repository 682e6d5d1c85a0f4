package dev.orrery.gateway.direct;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a frame asks for: the method that it would be over HTTP, which is also what its signature says, and the header
 * that tells it from others with the same method.
 */
enum OperationType {
    CREATE(0x01, "POST"),
    PATCH(0x02, "PATCH"),
    READ(0x03, "GET"),
    READ_FEED(0x04, "GET"),
    DELETE(0x05, "DELETE"),
    REPLACE(0x06, "PUT"),
    EXECUTE(0x08, "POST"),
    SQL_QUERY(0x09, "POST", "x-ms-documentdb-isquery"),
    QUERY(0x0f, "POST", "x-ms-documentdb-isquery"),
    HEAD(0x11, "HEAD"),
    HEAD_FEED(0x12, "HEAD"),
    UPSERT(0x13, "POST", "x-ms-documentdb-is-upsert"),
    BATCH(0x25, "POST", "x-ms-cosmos-is-batch-request"),
    QUERY_PLAN(0x42, "POST", "x-ms-cosmos-is-query-plan-request");

    private static final Map<Integer, OperationType> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(type -> type.code, Function.identity()));

    private final int code;
    private final String method;
    private final String header;

    OperationType(int code, String method) {
        this(code, method, "");
    }

    OperationType(int code, String method, String header) {
        this.code = code;
        this.method = method;
        this.header = header;
    }

    static Optional<OperationType> find(int code) {
        return Optional.ofNullable(BY_CODE.get(code));
    }

    int code() {
        return code;
    }

    String method() {
        return method;
    }

    /** Whether a header of this name would be true. */
    boolean implies(String name) {
        return !header.isEmpty() && header.equals(name);
    }

    /** Whether a version that the client names is one that it has, not one that it wants to change. */
    boolean isReading() {
        return this == READ || this == READ_FEED;
    }
}
