package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A YAML file says what a server is to have; what it cannot say is refused with the place and the reason. */
class ConfigurationIT {
    private static final String SHOP = """
        databases:
          - id: shop
            containers:
              - id: orders
                partitionKey: /customer
                throughput: 10100
                defaultTtl: -1
                seed:
                  - {id: "1", customer: ada, total: 42}
                seedFile: more.ndjson
              - id: visits
                partitionKey: [/tenant, /user]
                uniqueKeyPolicy:
                  uniqueKeys: [{paths: [/page]}]
        """;

    @TempDir
    Path folder;

    @Test
    void databasesContainersAndSeedDataAreThereOnceTheServerIsReady() throws IOException {
        Files.writeString(
                folder.resolve("more.ndjson"),
                "{\"id\":\"2\",\"customer\":\"bob\"}\n{\"id\":\"3\",\"customer\":\"bob\"}\n");
        try (var server = OrreryServer.start(folder.resolve("data"), "--config", write(SHOP))) {
            var client = new WireClient(server);

            assertThat(client.get("/dbs/shop/colls/orders").body()).contains("\"defaultTtl\":-1");
            assertThat(client.get("/dbs/shop/colls/orders/pkranges").body()).contains("\"_count\":2");
            assertThat(client.get("/dbs/shop/colls/visits").body()).contains("MultiHash", "/tenant", "/user", "/page");
            assertThat(item(client, "1", "ada").body()).contains("\"total\":42");
            assertThat(item(client, "3", "bob").status()).isEqualTo(200);
        }
    }

    @Test
    void whatUsersChangedSinceIsNotSeededAgain() throws IOException {
        Files.writeString(folder.resolve("more.ndjson"), "");
        try (var server = OrreryServer.start(folder.resolve("data"), "--config", write(SHOP))) {
            var client = new WireClient(server);
            var deleted = client.send(WireRequest.of("DELETE", "/dbs/shop/colls/orders/docs/1")
                    .header("x-ms-documentdb-partitionkey", "[\"ada\"]"));
            assertThat(deleted.status()).isEqualTo(204);
            server.stop();
            server.restart();

            assertThat(item(client, "1", "ada").status()).isEqualTo(404);
        }
    }

    private static final String BLOG = """
        databases:
          - id: blog
            containers:
              - id: posts
                partitionKey: /postId
                seed:
                  - {id: p, postId: p, likes: 1}
                storedProcedures:
                  - id: like
                    bodyFile: scripts/like.js
                triggers:
                  - id: stamp
                    triggerType: Pre
                    triggerOperation: Create
                    body: |
                      function stamp() {
                        const request = getContext().getRequest();
                        request.setBody({ ...request.getBody(), stamped: true });
                      }
                userDefinedFunctions:
                  - id: twice
                    body: "(n) => 2 * n"
        """;

    @Test
    void scriptsAreThereOnceTheServerIsReady() throws IOException {
        writeLike("likes + 1");
        try (var server = OrreryServer.start(folder.resolve("data"), "--config", write(BLOG))) {
            var client = new WireClient(server);

            assertThat(like(client)).isEqualTo("2");
            var stamped = client.send(WireRequest.of("POST", "/dbs/blog/colls/posts/docs")
                    .header("x-ms-documentdb-partitionkey", "[\"q\"]")
                    .header("x-ms-documentdb-pre-trigger-include", "stamp")
                    .body("{\"id\":\"q\",\"postId\":\"q\"}"));
            assertThat(stamped.body()).contains("\"stamped\":true");
            var query = client.send(WireRequest.of("POST", "/dbs/blog/colls/posts/docs")
                    .header("x-ms-documentdb-isquery", "true")
                    .header("x-ms-documentdb-partitionkey", "[\"p\"]")
                    .header("content-type", "application/query+json")
                    .body("{\"query\":\"SELECT VALUE udf.twice(p.likes) FROM p\"}"));
            assertThat(query.body()).contains("[2]");
        }
    }

    @Test
    void aScriptFollowsTheFileAndOneThatIsTheSameIsLeftAlone() throws IOException {
        writeLike("likes + 1");
        try (var server = OrreryServer.start(folder.resolve("data"), "--config", write(BLOG))) {
            var client = new WireClient(server);
            var trigger = client.get("/dbs/blog/colls/posts/triggers/stamp").body();
            var like = client.get("/dbs/blog/colls/posts/sprocs/like").body();
            server.stop();
            writeLike("likes + 10");
            server.restart();

            assertThat(like(client)).isEqualTo("11");
            assertThat(client.get("/dbs/blog/colls/posts/triggers/stamp").body())
                    .isEqualTo(trigger);
            assertThat(client.get("/dbs/blog/colls/posts/sprocs/like").body()).isNotEqualTo(like);
        }
    }

    @Test
    void aScriptThatCannotBeIsRefusedWithItsPlace() throws IOException {
        writeLike("likes + 1");
        assertRefused(
                BLOG.replace("scripts/like.js", "scripts/none.js"),
                "container blog/posts, stored procedure like: there is no file");
        assertRefused(
                BLOG.replace("triggerType: Pre", "triggerType: Never"),
                "container blog/posts, trigger stamp: triggerType");
        assertRefused(
                BLOG.replace("triggerOperation: Create", "operation: Create"),
                "trigger stamp: 'operation' is not known");
        assertRefused(
                BLOG.replace("(n) => 2 * n", "(n) => 2 *"),
                "container blog/posts, user-defined function twice: The body of 'twice' cannot be read as a function."
                        + " Line 1, column 11: Expected an operand but found eof");
        assertRefused(BLOG.replace("bodyFile: scripts/like.js", "seed: no"), "stored procedure like: 'seed' is not");
        assertRefused(
                BLOG.replace("bodyFile: scripts/like.js", "body:"),
                "stored procedure like: it needs either a body or a bodyFile");
        writeLike("likes +");
        assertRefused(
                BLOG, "stored procedure like (scripts/like.js): The body of 'like' cannot be read", "Line 4, column");
    }

    private void writeLike(String likes) throws IOException {
        Files.createDirectories(folder.resolve("scripts"));
        Files.writeString(folder.resolve("scripts/like.js"), """
            function like(postId) {
                const posts = getContext().getCollection();
                posts.readDocument(`${posts.getAltLink()}/docs/${postId}`, (error, { likes }) => {
                    getContext().getResponse().setBody(LIKES);
                });
            }
            """.replace("LIKES", likes));
    }

    private static String like(WireClient client) {
        return client.send(WireRequest.of("POST", "/dbs/blog/colls/posts/sprocs/like")
                        .header("x-ms-documentdb-partitionkey", "[\"p\"]")
                        .body("[\"p\"]"))
                .body();
    }

    @Test
    void aNameThatMeansNothingIsRefused() throws IOException {
        assertRefused("prot: 8081\n", "'prot' is not known here");
        assertRefused(
                "databases: [{id: d, containers: [{id: c, partitionKey: /pk, defaultTTL: 5}]}]\n",
                "container d/c: 'defaultTTL' is not a property of a container");
    }

    @Test
    void aValueOfTheWrongKindIsRefused() throws IOException {
        assertRefused("memory: yes please\n", "memory is true or false");
        assertRefused("logLevel: [info]\n", "logLevel must be a single value");
        assertRefused("databases: [{id: d, throughput: lots}]\n", "throughput must be a whole number");
        assertRefused("databases: [{id: d, throughput: 400, autoscale: 4000}]\n", "exclude each other");
        assertRefused("databases: [{id: d, containers: [{id: c, partitionKey: /pk, seed: {id: x}}]}]\n", "a list");
    }

    @Test
    void aContainerWhoseSeedDataIsWrongIsNotLeftBehind() throws IOException {
        var bad = SHOP.replace("seedFile: more.ndjson", "seedFile: missing.ndjson");
        var data = folder.resolve("data").toString();
        var refused = OrreryServer.run(folder, "start", "--port", "0", "--data", data, "--config", write(bad));
        assertThat(refused.output()).contains("container shop/orders: there is no seed file");

        Files.writeString(folder.resolve("more.ndjson"), "");
        try (var server = OrreryServer.start(folder.resolve("data"), "--config", write(SHOP))) {
            assertThat(item(new WireClient(server), "1", "ada").status()).isEqualTo(200);
        }
    }

    @Test
    void aContainerThatCannotBeIsRefusedWithItsPlace() throws IOException {
        assertRefused("databases: [{id: d, containers: [{id: c}]}]\n", "container d/c needs a partitionKey");
        assertRefused(
                "databases: [{id: d, containers: [{id: c, partitionKey: /pk, throughput: 5}]}]\n", "container d/c");
    }

    @Test
    void everyOtherMistakeIsToldWithItsPlaceToo() throws IOException {
        assertRefused("databases:\n  - name: shop\n", "id");
        assertRefused("databases:\n  - id: a/b\n", "a/b");
        assertRefused(
                "databases: [{id: d, containers: [{id: c, partitionKey: /pk, seed: [{id: x, pk: a}, {pk: a}]}]}]\n",
                "container d/c, seed item 2: ");
        assertRefused(
                "databases: [{id: d, containers: [{id: c, partitionKey: /pk, seedFile: none.json}]}]\n", "none.json");
    }

    @Test
    void theCommandLineWinsOverTheFile() throws IOException {
        var file = write("defaultConsistency: Eventual\n");
        try (var server =
                OrreryServer.startInMemory(folder, "--config", file, "--default-consistency", "ConsistentPrefix")) {
            var account = new WireClient(server).get("/").json();
            assertThat(account.findPath("defaultConsistencyLevel").textValue()).isEqualTo("ConsistentPrefix");
        }
    }

    @Test
    void badYamlIsRefusedWithLineAndColumn() throws IOException {
        assertRefused("databases:\n  - id: [\n", "not good YAML at line");
    }

    private void assertRefused(String yaml, String... reasons) throws IOException {
        var finished = OrreryServer.run(folder, "start", "--memory", "--port", "0", "--config", write(yaml));

        assertThat(finished.exitCode()).isNotZero();
        assertThat(finished.output()).contains(reasons).doesNotContain("\tat ", "Exception");
    }

    private String write(String yaml) throws IOException {
        return Files.writeString(folder.resolve("orrery.yaml"), yaml).toString();
    }

    private static WireReply item(WireClient client, String id, String customer) {
        return client.send(WireRequest.of("GET", "/dbs/shop/colls/orders/docs/" + id)
                .header("x-ms-documentdb-partitionkey", "[\"" + customer + "\"]"));
    }
}
