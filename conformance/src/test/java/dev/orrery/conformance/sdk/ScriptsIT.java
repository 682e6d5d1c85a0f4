package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.CosmosUserDefinedFunctionProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stored procedures, triggers and user-defined functions, run through the SDK. */
class ScriptsIT extends SdkSuite {
    /** A comment and the count of comments of its post, in one transaction. */
    private static final String CREATE_COMMENT = """
        function createComment(postId, comment) {
            var collection = getContext().getCollection();
            collection.readDocument(`${collection.getAltLink()}/docs/${postId}`, function (err, post) {
                if (err) throw err;
                post.commentCount++;
                collection.replaceDocument(post._self, post, function (err) {
                    if (err) throw err;
                    comment.postId = postId;
                    collection.createDocument(collection.getSelfLink(), comment, function (err, created) {
                        if (err) throw err;
                        console.log("created %s", created.id);
                        getContext().getResponse().setBody({ id: created.id, count: post.commentCount });
                    });
                });
            });
        }\
        """;

    private CosmosContainer container;

    @BeforeEach
    void openContainer() {
        container = container("/postId");
    }

    @Test
    void aProcedureChangesSeveralItemsAtOnce() {
        container.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties("c", CREATE_COMMENT));
        container.createItem(json("{'id':'post','postId':'post','commentCount':0}"));
        var procedure = container.getScripts().getStoredProcedure("c");
        var options = options(key("post")).setScriptLoggingEnabled(true);

        var response = procedure.execute(List.of("post", Map.of("id", "first")), options);
        assertThat(response.getStatusCode()).isEqualTo(200);
        assertThat(response.getResponseAsString()).isEqualTo("{\"id\":\"first\",\"count\":1}");
        assertThat(response.getScriptLog()).isEqualTo("created first");
        assertThat(response.getRequestCharge()).isGreaterThan(5);
        assertThat(response.getSessionToken()).isNotBlank();

        // The comment is there already, so that the count must not change either.
        assertRefused(400, 409, () -> procedure.execute(List.of("post", Map.of("id", "first")), options));
        assertThat(read(container, "post", key("post")).get("commentCount").asInt())
                .isEqualTo(1);
        assertRefused(400, 404, () -> procedure.execute(List.of("none", Map.of("id", "x")), options));
    }

    @Test
    void theCallerHearsWhatIsWrongWithAProcedure() {
        var scripts = container.getScripts();
        var broken = assertRefused(
                400,
                65535,
                () -> scripts.createStoredProcedure(new CosmosStoredProcedureProperties("broken", "function ( {")));
        assertThat(broken.getMessage()).contains("Line 1, column 13: Expected ident but found eof");
        scripts.createStoredProcedure(new CosmosStoredProcedureProperties(
                "throws", "async function () { throw new Error(1234, 'the reason'); }"));
        var refusal = assertRefused(
                400, 1234, () -> scripts.getStoredProcedure("throws").execute(List.of(), options(key("p"))));
        assertThat(refusal.getMessage()).contains("the reason");
    }

    @Test
    void proceduresRunInHierarchicalPartitionsAndInThatOfNone() {
        var body = """
            function (item) {
                __.createDocument(__.getSelfLink(), item);
                __.queryDocuments(__.getSelfLink(), 'SELECT * FROM c', (e, rows) => __.response.setBody(rows.length));
            }\
            """;
        var deep = hierarchicalContainer("/t", "/u");
        deep.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties("p", body));
        var deepKey = new PartitionKeyBuilder().add("t1").add("u1").build();
        assertThat(deep.getScripts()
                        .getStoredProcedure("p")
                        .execute(List.of(Map.of("id", "i", "t", "t1", "u", "u1")), options(deepKey))
                        .getResponseAsString())
                .isEqualTo("0");
        assertThat(read(deep, "i", deepKey).get("u").asText()).isEqualTo("u1");

        container.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties("p", body));
        container
                .getScripts()
                .getStoredProcedure("p")
                .execute(List.of(Map.of("id", "loose")), options(PartitionKey.NONE));
        assertThat(read(container, "loose", PartitionKey.NONE).get("id").asText())
                .isEqualTo("loose");
    }

    @Test
    void triggersRunWithTheWritesThatNameThem() {
        container
                .getScripts()
                .createTrigger(new CosmosTriggerProperties("stamp", """
                    function () {
                        var request = getContext().getRequest(), item = request.getBody();
                        item.stamped = true;
                        request.setBody(item);
                    }\
                    """)
                        .setTriggerType(TriggerType.PRE)
                        .setTriggerOperation(TriggerOperation.CREATE));
        container
                .getScripts()
                .createTrigger(new CosmosTriggerProperties("copy", """
                    function () {
                        var made = getContext().getResponse().getBody();
                        __.createDocument(__.getSelfLink(), { id: made.id + '-copy', postId: made.postId });
                    }\
                    """)
                        .setTriggerType(TriggerType.POST)
                        .setTriggerOperation(TriggerOperation.ALL));
        var options = new CosmosItemRequestOptions()
                .setPreTriggerInclude(List.of("stamp"))
                .setPostTriggerInclude(List.of("copy"));

        container.createItem(json("{'id':'i','postId':'p'}"), key("p"), options);
        assertThat(read(container, "i", key("p")).get("stamped").asBoolean()).isTrue();
        assertThat(read(container, "i-copy", key("p")).get("id").asText()).isEqualTo("i-copy");

        // One of them is for creates only.
        var changed = json("{'id':'i','postId':'p','n':1}");
        assertRefused(400, () -> container.replaceItem(changed, "i", key("p"), options));
        // The copy is there, so that the post-trigger fails, and with it the write.
        var copying = new CosmosItemRequestOptions().setPostTriggerInclude(List.of("copy"));
        assertRefused(400, 409, () -> container.replaceItem(changed, "i", key("p"), copying));
        assertThat(read(container, "i", key("p")).has("n")).isFalse();
        container.createItem(json("{'id':'plain','postId':'p'}"));
        assertThat(read(container, "plain", key("p")).has("stamped")).isFalse();
    }

    @Test
    void queriesCallUserDefinedFunctions() {
        container
                .getScripts()
                .createUserDefinedFunction(new CosmosUserDefinedFunctionProperties(
                        "tax", "function tax(income) { return income < 1000 ? income * 0.1 : income * 0.2; }"));
        container.createItem(json("{'id':'a','postId':'p','income':10000}"));
        container.createItem(json("{'id':'b','postId':'q','income':500}"));
        assertThat(container.queryItems(
                        "SELECT VALUE udf.tax(c.income) FROM c WHERE udf.tax(c.income) > 1 ORDER BY c.income",
                        new CosmosQueryRequestOptions(),
                        Double.class))
                .containsExactly(50.0, 2000.0);
        assertRefused(
                400,
                () ->
                        container
                                .queryItems(
                                        "SELECT VALUE udf.none(1) FROM c",
                                        new CosmosQueryRequestOptions(),
                                        Double.class)
                                .stream()
                                .toList());
    }

    private static CosmosStoredProcedureRequestOptions options(PartitionKey key) {
        return new CosmosStoredProcedureRequestOptions().setPartitionKey(key);
    }
}
