package dev.orrery.engine.query;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static dev.orrery.engine.TestDatabase.DATABASE;
import static dev.orrery.engine.TestDatabase.key;
import static dev.orrery.engine.TestDatabase.queryText;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.QueryItems;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.store.Cached;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Condition;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which queries an event loop may carry out: they are answered as any other, but keep no other client waiting. */
class PromptQueryTest {
    private static final String BY_ID = "SELECT * FROM c WHERE c.id = @id";

    private static final List<String> LIGHT = List.of(
            BY_ID,
            "SELECT VALUE c FROM c WHERE c.id = @id",
            "SELECT c.id, c.v FROM c WHERE c.id = @id AND c.v > 1",
            "SELECT TOP 1 c.v FROM c WHERE c.id = @id",
            "SELECT VALUE c.a.b FROM c WHERE c.id = 'one'");

    private static final List<String> HEAVY = List.of(
            "SELECT * FROM c",
            "SELECT * FROM c WHERE c.v = 1",
            "SELECT * FROM c WHERE c.id IN ('one', 'two')",
            "SELECT * FROM c WHERE c.id > @id",
            "SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.id = @id",
            "SELECT VALUE COUNT(1) FROM c WHERE c.id = @id",
            "SELECT * FROM c WHERE c.id = @id ORDER BY c.v",
            "SELECT DISTINCT c.v FROM c WHERE c.id = @id",
            "SELECT VALUE REPLICATE(c.id, 10000) FROM c WHERE c.id = @id",
            "SELECT VALUE udf.slow(c) FROM c WHERE c.id = @id",
            "SELECT VALUE c.v || c.v FROM c WHERE c.id = @id",
            "SELECT VALUE c.v FROM c WHERE c.id = @id AND c.v LIKE '%a%b%c%'",
            "SELECT * FROM c WHERE c.id = @id AND EXISTS (SELECT VALUE t FROM t IN c.tags)",
            "SELECT VALUE c[@id] FROM c WHERE c.id = @id",
            "SELECT VALUE {" + String.join(",", Collections.nCopies(20, "\"n\": c.a")) + "} FROM c WHERE c.id = @id");

    private static final Scope PARTITION = new Scope(Optional.empty(), Optional.of(key("p")), Optional.empty());

    private final ForgetfulStore store = new ForgetfulStore(new MemoryStore());
    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.withContainer(store, "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
        database.createItem("p", "{\"id\":\"one\",\"pk\":\"p\",\"v\":2,\"tags\":[\"a\"],\"a\":{\"b\":1}}");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static QueryItems query(String text, QueryWish... wishes) {
        return new QueryItems(
                CONTAINER,
                PARTITION,
                queryText(text, Map.<String, JsonValue>of("@id", new Str("one"))),
                Page.FIRST,
                Set.of(wishes));
    }

    /** The first time, a query has to be read and bound, which takes longer than to answer it. */
    private QueryItems known(String text) {
        database.execute(query(text));
        return query(text);
    }

    @Test
    void aKnownQueryThatPicksPropertiesOfOneItemIsPrompt() {
        for (var text : LIGHT) {
            assertThat(database.isPrompt(query(text))).as(text).isFalse();
            assertThat(database.isPrompt(known(text))).as(text).isTrue();
        }
    }

    @Test
    void whatMayTakeLongIsNot() {
        for (var text : HEAVY) {
            assertThat(database.isPrompt(known(text))).as(text).isFalse();
        }
    }

    @Test
    void withoutAPartitionKeyItIsNot() {
        known(BY_ID);
        var everywhere = new QueryItems(CONTAINER, Scope.ALL, query(BY_ID).query(), Page.FIRST, Set.of());
        assertThat(database.isPrompt(everywhere)).isFalse();
        assertThat(database.isPrompt(query(BY_ID, QueryWish.EXPLANATION))).isFalse();
    }

    @Test
    void whatIsNotInMemoryIsReadElsewhere() {
        known(BY_ID);
        store.forgets = true;
        assertThat(database.isPrompt(query(BY_ID))).isFalse();
        store.forgets = false;
        assertThat(database.isPrompt(query(BY_ID))).isTrue();
    }

    @Test
    void aLargeItemIsLookedAtElsewhere() {
        known(BY_ID);
        var text = "x".repeat(Limits.PROMPT_QUERY_ITEM_BYTES_MAX);
        database.upsertItem("p", "{\"id\":\"one\",\"pk\":\"p\",\"text\":\"" + text + "\"}");
        assertThat(database.isPrompt(query(BY_ID))).isFalse();
    }

    @Test
    void whatIsWrongWithARequestIsSaidElsewhere() {
        var nowhere = new QueryItems(
                DATABASE.child(ResourceKind.CONTAINER, "none"),
                PARTITION,
                query(BY_ID).query(),
                Page.FIRST,
                Set.of());
        assertThat(database.isPrompt(nowhere)).isFalse();
        assertThat(database.isPrompt(known("SELECT * FROM c WHERE c.id = @other")))
                .isFalse();
    }

    /** A store of which nothing may be in memory. */
    private static final class ForgetfulStore implements Store {
        private final Store inner;
        private volatile boolean forgets;

        ForgetfulStore(Store inner) {
            this.inner = inner;
        }

        @Override
        public PartitionStore open(PartitionId id, long ownerEpoch) {
            return new Forgetful(inner.open(id, ownerEpoch));
        }

        @Override
        public void drop(PartitionId id) {
            inner.drop(id);
        }

        @Override
        public List<PartitionId> partitions() {
            return inner.partitions();
        }

        @Override
        public long backlogBytes() {
            return inner.backlogBytes();
        }

        @Override
        public Condition condition() {
            return inner.condition();
        }

        @Override
        public void close() {
            inner.close();
        }

        private final class Forgetful implements PartitionStore {
            private final PartitionStore partition;

            Forgetful(PartitionStore partition) {
                this.partition = partition;
            }

            @Override
            public Snapshot snapshot() {
                return partition.snapshot();
            }

            @Override
            public byte[] get(byte[] key) {
                return partition.get(key);
            }

            @Override
            public Cached tryGet(byte[] key) {
                return forgets ? Cached.UNKNOWN : partition.tryGet(key);
            }

            @Override
            public CommitResult commit(Commit commit) {
                return partition.commit(commit);
            }

            @Override
            public Optional<Boolean> resolve(CommitId id) {
                return partition.resolve(id);
            }

            @Override
            public long bytes(KeyRange range) {
                return partition.bytes(range);
            }

            @Override
            public long lsn() {
                return partition.lsn();
            }

            @Override
            public void close() {
                partition.close();
            }
        }
    }
}
