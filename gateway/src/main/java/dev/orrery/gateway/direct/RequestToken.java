package dev.orrery.gateway.direct;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which token of a request says what which header says over HTTP. Every header that the gateway reads stands here. */
enum RequestToken {
    AUTHORIZATION(0x01, "authorization", Form.TEXT),
    DATE(0x03, "x-ms-date", Form.TEXT),
    PAGE_SIZE(0x04, "x-ms-max-item-count", Form.SIGNED),
    SESSION_TOKEN(0x05, "x-ms-session-token", Form.TEXT),
    CONTINUATION(0x06, "x-ms-continuation", Form.TEXT),
    INDEXING_DIRECTIVE(0x07, "x-ms-indexing-directive", Form.choice("Default", "Include", "Exclude")),
    PRE_TRIGGERS(0x09, "x-ms-documentdb-pre-trigger-include", Form.TEXT),
    POST_TRIGGERS(0x0a, "x-ms-documentdb-post-trigger-include", Form.TEXT),
    CONSISTENCY_LEVEL(
            0x10,
            "x-ms-consistency-level",
            Form.choice("Strong", "BoundedStaleness", "Session", "Eventual", "ConsistentPrefix")),
    TOKEN_EXPIRY(0x14, "x-ms-documentdb-expiry-seconds", Form.TEXT),
    CLIENT_VERSION(0x28, "x-ms-version", Form.TEXT),
    PARTITION_KEY(0x2b, "x-ms-documentdb-partitionkey", Form.TEXT),
    RANGE_ID(0x2c, "x-ms-documentdb-partitionkeyrangeid", Form.TEXT),
    ENABLE_LOGGING(0x3e, "x-ms-documentdb-script-enable-logging", Form.FLAG),
    CHANGES(0x3f, "a-im", Form.TEXT),
    POPULATE_QUOTA(0x40, "x-ms-documentdb-populatequotainfo", Form.FLAG),
    POPULATE_QUERY_METRICS(0x42, "x-ms-documentdb-populatequerymetrics", Form.FLAG),
    CONTINUATION_LIMIT(0x43, "x-ms-documentdb-responsecontinuationtokenlimitinkb", Form.TEXT),
    IF_MODIFIED_SINCE(0x47, "if-modified-since", Form.TEXT),
    EXCLUDE_SYSTEM_PROPERTIES(0x57, "x-ms-exclude-system-properties", Form.FLAG),
    START_EPK(0x62, "x-ms-start-epk", Form.TEXT),
    END_EPK(0x63, "x-ms-end-epk", Form.TEXT),
    READ_KEY_TYPE(
            0x64,
            "x-ms-read-key-type",
            Form.choice("", "ResourceId", "EffectivePartitionKey", "EffectivePartitionKeyRange")),
    ALLOW_TENTATIVE_WRITES(0x66, "x-ms-cosmos-allow-tentative-writes", Form.FLAG),
    BATCH_ATOMIC(0x73, "x-ms-cosmos-batch-atomic", Form.FLAG),
    BATCH_CONTINUES_ON_ERROR(0x74, "x-ms-cosmos-batch-continue-on-error", Form.FLAG),
    RETURN_PREFERENCE(0x82, "prefer", Form.choice("return=representation", "return=minimal")),
    INTENDED_CONTAINER(0x9d, "x-ms-cosmos-intended-collection-rid", Form.TEXT),
    CAPABILITIES(0xa2, "x-ms-cosmos-sdk-supportedcapabilities", Form.TEXT),
    POPULATE_INDEX_METRICS(0xa9, "x-ms-cosmos-populateindexmetrics", Form.FLAG),
    CHANGES_FORMAT(0xb2, "x-ms-cosmos-changefeed-wire-format-version", Form.TEXT),
    PRIORITY(0xbf, "x-ms-cosmos-priority-level", Form.choice("", "High", "Low")),
    POPULATE_INDEX_METRICS_V2(0xc2, "x-ms-cosmos-populateindexmetrics-v2", Form.FLAG),
    SERIALIZATION_FORMATS(
            0xc4, "x-ms-cosmos-supported-serialization-formats", Form.bits("JsonText", "CosmosBinary", "HybridRow")),
    POPULATE_QUERY_ADVICE(0xda, "x-ms-cosmos-populatequeryadvice", Form.FLAG),
    THROUGHPUT_BUCKET(0xdb, "x-ms-cosmos-throughput-bucket", Form.TEXT),
    QUERY_FEATURES(0xff, "x-ms-cosmos-supported-query-features", Form.TEXT),
    QUERY_VERSION(0x100, "x-ms-cosmos-query-version", Form.TEXT);

    /** What a frame says in a way of its own, without a header of the same meaning. */
    static final int RESOURCE_ID = 0x00;

    static final int PAYLOAD_PRESENT = 0x02;
    static final int MATCH = 0x08;
    static final int REPLICA_PATH = 0x13;
    static final int DATABASE_NAME = 0x15;
    static final int CONTAINER_NAME = 0x16;
    static final int ITEM_NAME = 0x17;
    static final int USER_NAME = 0x19;
    static final int PERMISSION_NAME = 0x1a;
    static final int PROCEDURE_NAME = 0x1b;
    static final int FUNCTION_NAME = 0x1c;
    static final int TRIGGER_NAME = 0x1d;
    static final int CONFLICT_NAME = 0x20;
    static final int CONTAINER_RID = 0x35;
    static final int TRANSPORT_REQUEST_ID = 0x4d;
    static final int ENCRYPTION_KEY_NAME = 0x80;

    /** How the value of a token becomes the text of a header. */
    private interface Form {
        Form TEXT = Optional::of;
        Form FLAG = value -> Optional.of(value.equals("0") ? "false" : "true");
        Form SIGNED = value -> Optional.of(Integer.toString((int) Long.parseLong(value)));

        Optional<String> header(String value);

        static Form choice(String... words) {
            var byNumber = List.of(words);
            return value -> Optional.of(Integer.parseInt(value))
                    .filter(number -> number < byNumber.size())
                    .map(byNumber::get);
        }

        static Form bits(String... words) {
            var byBit = List.of(words);
            return value -> {
                int bits = Integer.parseInt(value);
                return Optional.of(byBit.stream()
                                .filter(word -> (bits >> byBit.indexOf(word) & 1) == 1)
                                .collect(Collectors.joining(",")))
                        .filter(text -> !text.isEmpty());
            };
        }
    }

    private static final Map<String, RequestToken> BY_HEADER =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(RequestToken::header, Function.identity()));

    private final int id;
    private final String header;

    @SuppressWarnings("ImmutableEnumChecker") // All forms are functions without state.
    private final Form form;

    RequestToken(int id, String header, Form form) {
        this.id = id;
        this.header = header;
        this.form = form;
    }

    int id() {
        return id;
    }

    String header() {
        return header;
    }

    /** What a header of this name would say, if the tokens have anything of its meaning. */
    static Optional<String> find(String header, Tokens tokens) {
        var token = BY_HEADER.get(header);
        return token == null ? Optional.empty() : token.in(tokens);
    }

    Optional<String> in(Tokens tokens) {
        return tokens.text(id).flatMap(value -> {
            try {
                return form.header(value).filter(text -> !text.isEmpty());
            } catch (NumberFormatException _) {
                return Optional.of(value); // The reader of the header refuses it in its own words.
            }
        });
    }
}
