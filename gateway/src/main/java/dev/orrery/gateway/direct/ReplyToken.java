package dev.orrery.gateway.direct;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which token of a reply says what which header says over HTTP. Clients read a token by the type that they know. */
enum ReplyToken {
    LAST_STATE_CHANGE(0x02, TokenType.SMALL_STRING, "x-ms-last-state-change-utc"),
    CONTINUATION(0x03, TokenType.STRING, "x-ms-continuation"),
    ETAG(0x04, TokenType.STRING, "etag"),
    RETRY_AFTER(0x0c, TokenType.ULONG, "x-ms-retry-after-ms"),
    RESOURCE_QUOTA(0x0e, TokenType.STRING, "x-ms-resource-quota"),
    RESOURCE_USAGE(0x0f, TokenType.STRING, "x-ms-resource-usage"),
    SCHEMA_VERSION(0x10, TokenType.SMALL_STRING, "x-ms-schemaversion"),
    ITEM_COUNT(0x14, TokenType.ULONG, "x-ms-item-count"),
    REQUEST_CHARGE(0x15, TokenType.DOUBLE, "x-ms-request-charge"),
    OWNER_NAME(0x17, TokenType.STRING, "x-ms-alt-content-path"),
    OWNER_RID(0x18, TokenType.STRING, "x-ms-content-path"),
    SUBSTATUS(0x1c, TokenType.ULONG, "x-ms-substatus"),
    INDEX_PROGRESS(0x1d, TokenType.ULONG, "x-ms-documentdb-collection-index-transformation-progress"),
    RANGE_ID(0x21, TokenType.STRING, "x-ms-documentdb-partitionkeyrangeid"),
    LOG_RESULTS(0x25, TokenType.STRING, "x-ms-documentdb-script-log-results"),
    QUERY_METRICS(0x28, TokenType.STRING, "x-ms-documentdb-query-metrics"),
    SESSION_TOKEN(0x3e, TokenType.STRING, "x-ms-session-token"),
    INDEX_UTILIZATION(0x44, TokenType.STRING, "x-ms-cosmos-index-utilization"),
    QUERY_EXECUTION_INFO(0x45, TokenType.STRING, "x-ms-cosmos-query-execution-info"),
    DURATION(0x51, TokenType.DOUBLE, "x-ms-request-duration-ms"),
    QUERY_ADVICE(0x75, TokenType.STRING, "x-ms-cosmos-query-advice");

    /** What a frame says in a way of its own, or in several tokens where HTTP has one header. */
    static final int PAYLOAD_PRESENT = 0x00;

    static final int LSN = 0x13;
    static final int QUORUM_ACKED_LSN = 0x1a;
    static final int WRITE_QUORUM = 0x1e;
    static final int REPLICA_SET_SIZE = 0x1f;
    static final int ROLE = 0x26;
    static final int GLOBAL_COMMITTED_LSN = 0x29;
    static final int READ_REGIONS = 0x30;
    static final int ITEM_LSN = 0x32;
    static final int TRANSPORT_REQUEST_ID = 0x35;
    static final int LOCAL_LSN = 0x3a;
    static final int QUORUM_ACKED_LOCAL_LSN = 0x3b;
    static final int ITEM_LOCAL_LSN = 0x3c;

    private static final Map<String, ReplyToken> BY_HEADER =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ReplyToken::header, Function.identity()));

    private final int id;
    private final TokenType type;
    private final String header;

    ReplyToken(int id, TokenType type, String header) {
        this.id = id;
        this.type = type;
        this.header = header;
    }

    int id() {
        return id;
    }

    TokenType type() {
        return type;
    }

    String header() {
        return header;
    }

    static Optional<ReplyToken> find(String header) {
        return Optional.ofNullable(BY_HEADER.get(header))
                .or(() -> Optional.ofNullable(BY_HEADER.get(header.toLowerCase(Locale.ROOT))));
    }
}
