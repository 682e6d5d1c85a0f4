package dev.orrery.conformance.sdk;

import static dev.orrery.conformance.wire.BinaryBatch.CREATE;
import static dev.orrery.conformance.wire.BinaryBatch.DELETE;
import static dev.orrery.conformance.wire.BinaryBatch.PATCH;
import static dev.orrery.conformance.wire.BinaryBatch.READ;
import static dev.orrery.conformance.wire.BinaryBatch.REPLACE;
import static dev.orrery.conformance.wire.BinaryBatch.UPSERT;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import dev.orrery.conformance.wire.BinaryBatch;
import dev.orrery.conformance.wire.BinaryBatch.Result;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Batches and bulk as the .NET SDK sends them, seen with the Java SDK. The frames are made here from the layout, as that
 * SDK does not run where these tests do.
 */
class BinaryBatchIT extends SdkSuite {
    private static final int IF_MATCH = 9;
    private static final int IF_NONE_MATCH = 10;

    private CosmosContainer container;

    @BeforeEach
    void createItems() {
        container = container("/pk");
        container.createItem(json("{'id':'there','pk':'a','n':1}"));
        container.createItem(json("{'id':'doomed','pk':'a','n':1}"));
    }

    @Test
    void aBatchOfEveryOperationSucceedsAsAWhole() {
        var reply = atomic(new BinaryBatch()
                .add(CREATE, "", "", "{\"id\":\"new\",\"pk\":\"a\",\"text\":\"é𝄞\"}")
                .add(READ, "", "there", "")
                .add(REPLACE, "", "there", "{\"id\":\"there\",\"pk\":\"a\",\"n\":2}")
                .add(UPSERT, "", "", "{\"id\":\"upserted\",\"pk\":\"a\"}")
                .add(PATCH, "", "there", "{\"operations\":[{\"op\":\"incr\",\"path\":\"/n\",\"value\":40}]}")
                .add(DELETE, "", "doomed", ""));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.header("x-ms-session-token")).isPresent();
        var results = BinaryBatch.results(reply);
        assertThat(results).extracting(Result::status).containsExactly(201, 200, 200, 201, 200, 204);
        assertThat(results)
                .extracting(Result::charge)
                .allSatisfy(charge -> assertThat(charge).isPositive());
        assertThat(Json.object(results.get(1).body()).path("n").intValue()).isEqualTo(1);
        assertThat(results.get(5).body()).isEmpty();
        var created = read(container, "new", key("a"));
        assertThat(created.path("text").textValue()).isEqualTo("é𝄞");
        assertThat(Json.object(results.get(0).body())).isEqualTo(created);
        var there = read(container, "there", key("a"));
        assertThat(there.path("n").intValue()).isEqualTo(42);
        assertThat(results.get(4).etag()).isEqualTo(there.path("_etag").textValue());
        assertRefused(404, () -> read(container, "doomed", key("a")));
    }

    @Test
    void oneFailureUndoesEverythingAndNamesItself() {
        var before = read(container, "there", key("a"));
        var reply = atomic(new BinaryBatch()
                .add(CREATE, "", "", "{\"id\":\"new\",\"pk\":\"a\"}")
                .add(REPLACE, "", "there", "{\"id\":\"there\",\"pk\":\"a\",\"n\":9}")
                .add(CREATE, "", "", "{\"id\":\"doomed\",\"pk\":\"a\"}")
                .add(DELETE, "", "doomed", ""));
        assertThat(reply.status()).isEqualTo(207);
        var results = BinaryBatch.results(reply);
        assertThat(results).extracting(Result::status).containsExactly(424, 424, 409, 424);
        // Where the SDK takes the message of its exception from.
        assertThat(results.get(2).body())
                .startsWith("{\"code\":\"Conflict\",\"message\":\"Resource with specified id or name already exists.");
        assertRefused(404, () -> read(container, "new", key("a")));
        assertThat(read(container, "there", key("a"))).isEqualTo(before);
        assertThat(read(container, "doomed", key("a")).path("n").intValue()).isEqualTo(1);
    }

    @Test
    void conditionsCount() {
        var etag = read(container, "there", key("a")).path("_etag").textValue();
        var refused = atomic(new BinaryBatch()
                .add(REPLACE, "", "there", "{\"id\":\"there\",\"pk\":\"a\"}", Map.of(IF_MATCH, "\"old\"")));
        assertThat(BinaryBatch.results(refused)).extracting(Result::status).containsExactly(412);
        var accepted = atomic(new BinaryBatch()
                .add(READ, "", "there", "", Map.of(IF_NONE_MATCH, etag))
                .add(DELETE, "", "there", "", Map.of(IF_MATCH, etag)));
        assertThat(accepted.status())
                .isEqualTo(207); // As the service answers where one of them is not a plain success.
        assertThat(BinaryBatch.results(accepted)).extracting(Result::status).containsExactly(304, 204);
    }

    @Test
    void inBulkEveryOperationFailsOrSucceedsOnItsOwn() {
        var reply = bulk(new BinaryBatch()
                .add(CREATE, "[\"b\"]", "", "{\"id\":\"new\",\"pk\":\"b\"}")
                .add(CREATE, "[\"a\"]", "", "{\"id\":\"there\",\"pk\":\"a\"}")
                .add(UPSERT, "[\"c\"]", "", "{\"id\":")
                .add(READ, "[\"c\"]", "none", "")
                .add(DELETE, "[\"a\"]", "doomed", ""));
        assertThat(reply.status()).isEqualTo(207);
        assertThat(BinaryBatch.results(reply)).extracting(Result::status).containsExactly(201, 409, 400, 404, 204);
        assertThat(read(container, "new", key("b")).path("pk").textValue()).isEqualTo("b");
        assertThat(read(container, "there", key("a")).path("n").intValue()).isEqualTo(1);
        assertRefused(404, () -> read(container, "doomed", key("a")));
    }

    @Test
    void aBatchThatIsCutShortChangesNothing() {
        var whole = new BinaryBatch()
                .add(CREATE, "", "", "{\"id\":\"new\",\"pk\":\"a\"}")
                .add(DELETE, "", "doomed", "")
                .bytes();
        var cut = Arrays.copyOf(whole, whole.length - 1);
        var reply = send(cut, "x-ms-documentdb-partitionkey", "[\"a\"]", true);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.json().path("message").textValue()).contains("Operation 2");
        assertRefused(404, () -> read(container, "new", key("a")));
        assertThat(read(container, "doomed", key("a")).path("n").intValue()).isEqualTo(1);
    }

    private WireReply atomic(BinaryBatch batch) {
        return send(batch.bytes(), "x-ms-documentdb-partitionkey", "[\"a\"]", true);
    }

    private WireReply bulk(BinaryBatch batch) {
        return send(batch.bytes(), "x-ms-documentdb-partitionkeyrangeid", "0", false);
    }

    private WireReply send(byte[] body, String whereHeader, String where, boolean atomic) {
        var path = "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs";
        var request = WireRequest.of("POST", path)
                .header("x-ms-version", "2020-07-15")
                .header("x-ms-cosmos-is-batch-request", "True")
                .header("x-ms-cosmos-batch-atomic", atomic ? "True" : "False")
                .header(whereHeader, where)
                .body(body);
        return wire().send(
                        atomic
                                ? request.header("x-ms-cosmos-batch-ordered", "True")
                                : request.header("x-ms-cosmos-batch-continue-on-error", "True"));
    }
}
