package dev.orrery.model;

/** Every limit that a client can run into; nothing in Orrery grows without one. */
public final class Limits {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    // Items and requests.
    public static final int ITEM_BYTES_MAX = 2 * MIB;
    public static final int NESTING_DEPTH_MAX = 128;
    public static final int ITEM_ID_BYTES_MAX = 1023;
    public static final int RESOURCE_NAME_CHARACTERS_MAX = 255;
    public static final int REQUEST_BYTES_MAX = 2 * MIB;
    public static final int PAGE_BYTES_MAX = 4 * MIB;
    public static final int OPERATION_MILLIS_MAX = 5_000;
    public static final int TIME_TO_LIVE_SECONDS_MAX = Integer.MAX_VALUE;

    // Partitions.
    public static final int PARTITION_KEY_BYTES_MAX = 2 * KIB;
    public static final int PARTITION_KEY_PATHS_MAX = 3;
    public static final long LOGICAL_PARTITION_BYTES_MAX = 20L * KIB * MIB;
    public static final int PHYSICAL_PARTITION_REQUEST_UNITS_MAX = 10_000;
    /** What a new container gets a partition for. */
    public static final int PHYSICAL_PARTITION_REQUEST_UNITS_AT_FIRST = 6_000;

    public static final long PHYSICAL_PARTITION_BYTES_MAX = 50L * KIB * MIB;
    /** What clients are told that a container may hold; nothing is refused for being more. */
    public static final long QUOTA_BYTES = 10L * KIB * MIB;

    // Batches and patches.
    public static final int BATCH_OPERATIONS_MAX = 100;
    public static final int BATCH_BYTES_MAX = 2 * MIB;
    public static final int BATCH_ANSWER_BYTES_MAX = 4 * MIB;
    public static final int PATCH_OPERATIONS_MAX = 10;

    // Containers and accounts.
    public static final int VIEWS_OF_CONTAINER_MAX = 20;
    public static final int STORED_PROCEDURES_MAX = 100;
    public static final int TRIGGERS_MAX = 50;
    public static final int USER_DEFINED_FUNCTIONS_MAX = 50;
    public static final int UNIQUE_KEYS_MAX = 10;
    public static final int UNIQUE_KEY_PATHS_MAX = 16;
    public static final int INDEX_INCLUDED_PATHS_MAX = 1_500;
    public static final int INDEX_EXCLUDED_PATHS_MAX = 1_500;
    public static final int COMPOSITE_INDEX_PROPERTIES_MAX = 8;
    public static final int COMPOSITE_INDEXES_MAX = 100;
    /** Spatial, vector and full-text indexes, of each kind. */
    public static final int INDEX_SPECIAL_PATHS_MAX = 100;

    public static final int PATH_CHARACTERS_MAX = 4 * KIB;
    public static final int COMPUTED_PROPERTIES_MAX = 20;
    public static final int VECTOR_DIMENSIONS_MAX = 4_096;
    public static final int VECTOR_FLAT_DIMENSIONS_MAX = 505;
    public static final int VECTOR_QUANTIZATION_BYTES_MAX = 512;
    public static final int VECTOR_SEARCH_LIST_SIZE_MIN = 10;
    public static final int VECTOR_SEARCH_LIST_SIZE_MAX = 500;

    // Metrics. Each container with requests takes some kilobytes for each kind of them.
    public static final int METERED_CONTAINERS_MAX = 2_000;

    // Throughput.
    public static final int THROUGHPUT_MANUAL_MIN = 400;
    public static final int THROUGHPUT_AUTOSCALE_MIN = 1_000;
    public static final int THROUGHPUT_MAX = 1_000_000;
    public static final int SHARED_THROUGHPUT_CONTAINERS_FREE = 25;

    // What one commit of a partition takes on, and one bite of work in the background.
    public static final int GROUP_UNITS_MAX = 512;
    public static final int GROUP_BYTES_MAX = 4 * MIB;

    /** All keys and values of one commit, index entries and old versions included. */
    public static final int COMMIT_BYTES_MAX = 64 * MIB;

    public static final int SWEEP_BITE_ROWS = 64;
    public static final int SWEEP_MILLIS = 1_000;
    public static final int TRIM_BITE_CHANGES = 1_000;

    /** How many changes a log keeps for a reader who lags behind; one who lacks more begins anew. */
    public static final int LOG_KEPT_CHANGES_MAX = 1_000_000;

    /** How much of a log a split takes into memory at once, and after how little it has the range stand still. */
    public static final int SPLIT_BITE_CHANGES = 1_000;

    public static final int SPLIT_BITE_BYTES = 8 * MIB;
    public static final int SPLIT_STANDSTILL_CHANGES = 256;

    /** How many rows may be noted beside a log while a split copies. */
    public static final int SPLIT_NOTES_MAX = 100_000;

    /** So many changes of the catalog are remembered one by one; who lacks more is told everything. */
    public static final int CATALOG_LOG_MAX = 10_000;

    /** How many writes of a range a region keeps that wait to be settled among several regions that write. */
    public static final int TENTATIVE_WRITES_MAX = 100_000;

    /** After what time a write is worth repeating that found no place among them. */
    public static final int TENTATIVE_RETRY_MILLIS = 200;

    /** How many items of a settled copy are taken over in one commit. */
    public static final int CONFIRM_BITE_ITEMS = 200;

    public static final int CONFIRM_BITE_BYTES = 4 * MIB;

    /** How much of what one item has become meanwhile goes into one commit, so that its readers see all of it at once. */
    public static final int CONFIRM_ITEM_BYTES = 16 * MIB;

    /** How long a reader waits for a copy that his session is ahead of. */
    public static final int SESSION_WAIT_MILLIS = 100;

    public static final int TRIM_MILLIS = 5_000;
    public static final int VIEW_STEP_ITEMS = 256;
    public static final int VIEW_STEP_BYTES = MIB;
    public static final int VIEW_LAG_COUNTED_MAX = 100_000;

    // Memory. Reading a body and making the index entries of an item takes a multiple of its bytes: three hundred
    // thousand
    // numbers fit into two megabytes, and each of them becomes an entry. What is small is not counted.
    public static final int MEMORY_WAIT_MILLIS_MAX = 5_000;
    public static final int MEMORY_PER_BODY_BYTE = 32;
    public static final int MEMORY_PER_STORED_BYTE = 24;
    public static final int MEMORY_BODY_BYTES_FREE = 16 * KIB;
    public static final int MEMORY_QUERY_BYTES_FREE = 256 * KIB;
    public static final int MEMORY_REPLY_BYTES_FREE = 64 * KIB;
    public static final int MEMORY_SCRIPT_BYTES = 32 * MIB;

    /** A larger body is read by a thread of its own, not by one that serves many connections. */
    public static final int PROMPT_BYTES_MAX = 64 * KIB;

    /** The same for a query, and for the item that it is about. */
    public static final int PROMPT_QUERY_BYTES_MAX = 2 * KIB;

    public static final int PROMPT_QUERY_ITEM_BYTES_MAX = 8 * KIB;

    // Pages.
    public static final int PAGE_ITEMS_DEFAULT = 1_000;
    public static final int PAGE_MILLIS_MAX = 1_000;
    public static final int CONTINUATION_CHARACTERS_MAX = 8 * KIB;

    // Streams of changes. Each may hold a page for a client that is slow to take it.
    public static final int CHANGE_STREAMS_MAX = 256;
    public static final int CHANGE_STREAM_PAGE_ITEMS = 256;
    public static final int CHANGE_STREAM_LOOK_MILLIS = 1_000;
    public static final int CHANGE_STREAM_ALIVE_MILLIS = 15_000;

    // Queries.
    public static final long QUERIES_CACHED_BYTES_MAX = 64L * MIB;
    public static final int QUERY_MILLIS_MAX = 60_000;
    public static final long QUERY_MEMORY_BYTES_MAX = 256L * MIB;
    /** For what is computed of one item in a lane or for an index: conditions of patches, computed properties, views. */
    public static final long ITEM_STEPS_MAX = 10_000_000;

    public static final long ITEM_VALUES_BYTES_MAX = 32L * MIB;
    public static final int QUERY_TEXT_BYTES_MAX = 512 * KIB;
    public static final int QUERY_JOINS_MAX = 10;
    public static final int QUERY_USER_DEFINED_FUNCTIONS_MAX = 10;
    public static final int QUERY_DEPTH_MAX = 256;
    public static final int QUERY_VALUE_SIZE_MAX = 8 * MIB;
    public static final int QUERY_PATTERN_STEPS_MAX = 20_000;
    /** The length of a text times that of what is looked for in it: most of a minute at worst, which nothing breaks off. */
    public static final long QUERY_SEARCH_STEPS_MAX = 40_000_000_000L;

    public static final int QUERY_RANKED_ROWS_MAX = 10_000;
    /** Each score is written into the query of every other. */
    public static final int QUERY_RANKED_SCORES_MAX = 32;

    public static final int QUERY_PLAN_CHARACTERS_MAX = 4 * MIB;
    public static final int SEARCH_TERM_WORDS_MAX = 256;
    public static final int POLYGON_POINTS_MAX = 4_096;
    public static final int SHAPE_CELLS_MAX = 8;
    public static final int SHAPE_SEARCH_SPANS_MAX = 64;

    // What is noted of requests, for advice. Where there is more, the least used is left out.
    public static final int ADVICE_NOTE_MILLIS = 50;
    public static final long ADVICE_WAITING_BYTES_MAX = 16L * MIB;
    public static final int ADVICE_PATTERNS_MAX = 128;
    public static final int ADVICE_PATTERNS_OF_ALL_MAX = 4_096;
    public static final int ADVICE_PATTERN_CHARACTERS_MAX = 4 * KIB;
    public static final int ADVICE_PATHS_MAX = 256;
    public static final int ADVICE_VALUES_MAX = 16;
    public static final int ADVICE_KEYS_MAX = 64;
    public static final int ADVICE_LOOKUPS_MAX = 1_000;
    public static final int ADVICE_ROWS_MAX = 32;
    public static final int ADVICE_TEXTS_MAX = 20_000;
    public static final int ADVICE_ID_CHARACTERS_MAX = 255;
    public static final int ADVICE_ROW_BYTES_MAX = 16 * KIB;
    public static final long ADVICE_SAMPLE_NANOS = 50_000_000;
    public static final long ADVICE_READ_NANOS = 10_000_000;
    public static final long ADVICE_WRITE_NANOS = 1_000_000;
    public static final long ADVICE_LOOKUP_NANOS = 1_000_000_000;

    // Scripts. What they are refused before the end of their time lets them hand back a continuation.
    public static final int SCRIPT_BODY_CHARACTERS_MAX = 512 * KIB;
    public static final int SCRIPT_MILLIS_MAX = 5_000;
    public static final int SCRIPT_ACCEPTING_MILLIS = 4_000;
    public static final long SCRIPT_ALLOCATION_BYTES_MAX = 16L * KIB * MIB;
    public static final int SCRIPT_STRING_CHARACTERS_MAX = 16 * MIB;
    public static final int SCRIPT_WRITES_BYTES_MAX = 16 * MIB;
    public static final int SCRIPT_RESPONSE_CHARACTERS_MAX = PAGE_BYTES_MAX / 2;
    public static final int SCRIPT_LOG_CHARACTERS_MAX = 4 * KIB;
    public static final int SCRIPT_ATTEMPTS_MAX = 16;
    public static final int SCRIPTS_WAITING_MAX = 1_000;
    public static final int TRIGGERS_OF_WRITE_MAX = 1;

    // Authentication.
    public static final int MASTER_TOKEN_SKEW_SECONDS_MAX = 15 * 60;
    public static final int RESOURCE_TOKEN_SECONDS_MIN = 10;
    public static final int RESOURCE_TOKEN_SECONDS_DEFAULT = 60 * 60;
    public static final int RESOURCE_TOKEN_SECONDS_MAX = 24 * 60 * 60;

    // HTTP.
    public static final int CONNECTIONS_MAX = 10_000;
    /** Tokens of a frame of Direct mode; the SDKs know some 250. */
    public static final int DIRECT_TOKENS_MAX = 512;

    public static final int DIRECT_HEAD_BYTES_MAX = 256 * KIB;
    public static final int DIRECT_CONTEXT_BYTES_MAX = 4 * KIB;

    /** A payload that is too long is read and thrown away up to this, so that the client gets its answer. */
    public static final int DIRECT_SKIPPED_BYTES_MAX = 64 * MIB;

    /** Requests of one connection that are not answered yet; the SDKs send 30 before they open another. */
    public static final int DIRECT_IN_FLIGHT_MAX = 256;

    /** How long a connection may stay open on which nothing comes; the Java SDK closes its own after half of that. */
    public static final int DIRECT_IDLE_SECONDS_MAX = 2 * 60 * 60;

    /** How long without a signed request; SDKs open connections in advance, for what is to come. */
    public static final int DIRECT_UNPROVED_SECONDS_MAX = 30 * 60;

    public static final int HTTP_HEAD_BYTES_MAX = 64 * KIB;
    public static final int HTTP_BODY_BYTES_MAX = 4 * MIB;
    public static final int HTTP_REQUEST_SECONDS_MAX = 30;
    public static final int HTTP_REPLY_SECONDS_MAX = 2 * 60;
    public static final int HTTP_IDLE_SECONDS_MAX = 5 * 60;
    public static final int TLS_HANDSHAKE_SECONDS_MAX = 10;
    public static final int DRAIN_SECONDS_MAX = 10;

    private Limits() {}
}
