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
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Java of the pages about scripts: what is between {@code docs:} and {@code end of docs} is printed there. */
class ScriptPagesIT extends SdkSuite {
    private final Path folder = Path.of("../docs/scripts");
    private CosmosContainer posts;

    @BeforeEach
    void openContainer() {
        posts = container("/postId");
    }

    @Test
    void storedProcedure() throws IOException {
        posts.createItem(json("{'id':'post-1','postId':'post-1','type':'post','commentCount':0}"));
        // docs: stored-procedure
        String body = Files.readString(folder.resolve("createComment.js"));
        posts.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties("createComment", body));

        var options = new CosmosStoredProcedureRequestOptions()
                .setPartitionKey(new PartitionKey("post-1"))
                .setScriptLoggingEnabled(true);
        var comment = Map.of("id", "comment-1", "userId", "ada", "content", "Well said.");
        var response =
                posts.getScripts().getStoredProcedure("createComment").execute(List.of("post-1", comment), options);

        System.out.println(response.getResponseAsString()); // {"id":"comment-1","commentCount":1}
        System.out.println(response.getScriptLog()); // comment comment-1 of post-1
        // end of docs
        assertThat(response.getResponseAsString()).isEqualTo("{\"id\":\"comment-1\",\"commentCount\":1}");
        assertThat(response.getScriptLog()).isEqualTo("comment comment-1 of post-1");
        assertThat(read(posts, "comment-1", key("post-1")).get("type").asText()).isEqualTo("comment");

        var procedure = posts.getScripts().getStoredProcedure("createComment");
        assertRefused(400, 409, () -> procedure.execute(List.of("post-1", comment), options));
        assertRefused(400, 404, () -> procedure.execute(List.of("post-2", comment), options));
        assertThat(read(posts, "post-1", key("post-1")).get("commentCount").asInt())
                .isEqualTo(1);
    }

    @Test
    void preTrigger() throws IOException {
        // docs: pre-trigger
        String body = Files.readString(folder.resolve("checkPost.js"));
        posts.getScripts()
                .createTrigger(new CosmosTriggerProperties("checkPost", body)
                        .setTriggerType(TriggerType.PRE)
                        .setTriggerOperation(TriggerOperation.CREATE));

        var post = Map.of("id", "post-1", "postId", "post-1", "userId", "ada", "title", "On engines");
        var options = new CosmosItemRequestOptions().setPreTriggerInclude(List.of("checkPost"));
        posts.createItem(post, new PartitionKey("post-1"), options);
        // end of docs
        var stored = read(posts, "post-1", key("post-1"));
        assertThat(stored.get("type").asText()).isEqualTo("post");
        assertThat(stored.get("commentCount").asInt()).isZero();
        assertThat(stored.get("creationDate").asText()).startsWith("20");

        var untitled = Map.of("id", "post-2", "postId", "post-2");
        var refusal = assertRefused(400, 400, () -> posts.createItem(untitled, new PartitionKey("post-2"), options));
        assertThat(refusal.getMessage()).contains("A post needs a title.");
        assertRefused(404, () -> read(posts, "post-2", key("post-2")));
    }

    @Test
    void postTrigger() throws IOException {
        var feed = container("/type");
        for (int number = 100; number < 200; number++) {
            feed.createItem(json("{'id':'" + number + "','type':'post','creationDate':'" + number + "'}"));
        }
        // docs: post-trigger
        String body = Files.readString(folder.resolve("trimFeed.js"));
        feed.getScripts()
                .createTrigger(new CosmosTriggerProperties("trimFeed", body)
                        .setTriggerType(TriggerType.POST)
                        .setTriggerOperation(TriggerOperation.CREATE));

        var post = Map.of("id", "post-1", "type", "post", "creationDate", "2026-11-16T09:00:00Z");
        var options = new CosmosItemRequestOptions().setPostTriggerInclude(List.of("trimFeed"));
        feed.createItem(post, new PartitionKey("post"), options);
        // end of docs
        var ids = feed
                .queryItems(
                        "SELECT VALUE f.id FROM f ORDER BY f.creationDate",
                        new CosmosQueryRequestOptions(),
                        String.class)
                .stream()
                .toList();
        assertThat(ids).hasSize(100).startsWith("101").endsWith("post-1");
    }

    @Test
    void userDefinedFunction() throws IOException {
        posts.createItem(json(
                "{'id':'post-1','postId':'post-1','type':'post','title':'On engines','content':'An engine ran.'}"));
        // docs: user-defined-function
        String body = Files.readString(folder.resolve("summary.js"));
        posts.getScripts().createUserDefinedFunction(new CosmosUserDefinedFunctionProperties("summary", body));

        var query = "SELECT p.title, udf.summary(p.content, 9) AS summary FROM p WHERE p.type = 'post'";
        for (JsonNode post : posts.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)) {
            System.out.println(post); // {"title":"On engines","summary":"An engine…"}
        }
        // end of docs
        assertThat(posts.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class))
                .extracting(JsonNode::toString)
                .containsExactly("{\"title\":\"On engines\",\"summary\":\"An engine…\"}");
    }
}
