package dev.orrery.conformance.fidelity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small things that clients written for the service rely on, and that no client has a method for. */
class ClientExpectationsIT {
    private static final String DATABASE = "/dbs/expectations";
    private static final String CONTAINERS = DATABASE + "/colls";
    private static final String ITEMS = CONTAINERS + "/items/docs";
    private static final String KEY = "x-ms-documentdb-partitionkey";

    private static WireClient client;

    @BeforeAll
    static void create() {
        client = new WireClient(SharedServer.running());
        assertCreated(client.post("/dbs", "{\"id\":\"expectations\"}"));
        assertCreated(
                client.post(CONTAINERS, "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":-1}"));
    }

    // ---- containers ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/                 | /*",
                "/*                | /*",
                "/name/?           | /name/?",
            })
    void anIncludedPathIsReadAsClientsSpellIt(String path, String kept) {
        var container = container("{\"includedPaths\":[{\"path\":\"%s\"}%s]}"
                .formatted(path, kept.equals("/*") ? "" : ",{\"path\":\"/*\"}"));
        assertThat(container
                        .json()
                        .path("indexingPolicy")
                        .path("includedPaths")
                        .get(0)
                        .path("path")
                        .textValue())
                .isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "name              | '/name/?'",
                "/name             | '/name/?'",
                "/first name/?     | '/\"first name\"/?'",
                "/a.b/[]/c         | '/\"a.b\"/[]/c/?'",
                "/a/               | '/a/?'",
            })
    void aBadPathIsAnsweredWithTheRightOne(String path, String proposal) {
        var refused = client.post(
                CONTAINERS,
                "{\"id\":\"bad\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"%s\"}]}}"
                        .formatted(path));
        assertRefused(400, "Did you mean " + proposal, refused);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "compositeIndexes  | [[{`path`:`name`},{`path`:`/b`}]]           | '/name'",
                "compositeIndexes  | [[{`path`:`/name/*`},{`path`:`/b`}]]        | '/name'",
                "compositeIndexes  | [[{`path`:`/first name`},{`path`:`/b`}]]    | '/\"first name\"'",
                "spatialIndexes    | [{`path`:`/place`,`types`:[`Point`]}]       | '/place/?'",
                "spatialIndexes    | [{`path`:`places/[]`,`types`:[`Point`]}]    | '/places/[]/?'",
                "vectorIndexes     | [{`path`:`/vector/?`,`type`:`flat`}]        | '/vector'",
                "vectorIndexes     | [{`path`:`vector`,`type`:`flat`}]           | '/vector'",
                "fullTextIndexes   | [{`path`:`/text/*`}]                        | '/text'",
                "fullTextIndexes   | [{`path`:`/a//text`}]                       | '/a/text'",
            })
    void aBadPathOfAnotherIndexIsAnsweredWithTheRightOne(String indexes, String paths, String proposal) {
        var policy = "{\"%s\":%s}".formatted(indexes, paths.replace('`', '"'));
        var refused = client.post(
                CONTAINERS,
                "{\"id\":\"bad\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"indexingPolicy\":%s}".formatted(policy));
        assertRefused(400, "Did you mean " + proposal + "?", refused);
    }

    @Test
    void lazyIndexingIsConsistentIndexing() {
        assertThat(container("{\"indexingMode\":\"lazy\"}")
                        .json()
                        .path("indexingPolicy")
                        .path("indexingMode")
                        .textValue())
                .isEqualTo("consistent");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[\"/id ds\"]                   | Partition key paths must contain only valid characters and not"
                        + " contain a trailing slash or wildcard character",
                "[\"id\"]                       | The partition key component definition path 'id' could not be"
                        + " accepted",
                "[\"/a/\"]                      | not contain a trailing slash",
                "[\"/a.b\"]                     | Write other characters in double quotes",
                "[\"/a\",\"/b\",\"/c\",\"/d\"]  | Too many partition key paths (4) specified. A maximum of 3 is"
                        + " allowed.",
            })
    void aBadKeyIsRefusedInTheWordsOfTheService(String paths, String words) {
        assertRefused(
                400,
                words,
                client.post(
                        CONTAINERS,
                        "{\"id\":\"bad\",\"partitionKey\":{\"kind\":\"MultiHash\",\"version\":2,\"paths\":%s}}"
                                .formatted(paths)));
    }

    @Test
    void oddNamesOfKeysStandInQuotes() {
        assertCreated(client.post(
                CONTAINERS, "{\"id\":\"quoted\",\"partitionKey\":{\"paths\":[\"/\\\"first name\\\"/in-house\"]}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[\"/vector1\"]               | [\"/vector2\"]              | vector2 not matching in Embedding's path",
                "[\"/vector2\",\"/vector2\"]  | [\"/vector2\"]              | Duplicate Path :/vector2 found in Vector"
                        + " Embedding Policy.",
                "[\"/vector2\"]               | [\"/vector2\",\"/vector2\"] | Duplicate Path :/vector2 found in Vector"
                        + " Indexing Policy.",
            })
    void vectorPoliciesAreRefusedInTheWordsOfTheService(String embeddings, String indexes, String words) {
        assertRefused(
                400,
                words,
                client.post(
                        CONTAINERS,
                        "{\"id\":\"bad\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"vectorEmbeddingPolicy\":{\"vectorEmbeddings\":%s},\"indexingPolicy\":{\"vectorIndexes\":%s}}"
                                .formatted(
                                        objects(embeddings, ",\"dimensions\":3"),
                                        objects(indexes, ",\"type\":\"flat\""))));
    }

    private static String objects(String paths, String rest) {
        return paths.replaceAll("(\"[^\"]+\")", "{\"path\":$1" + rest + "}");
    }

    @Test
    void aLanguageMayBeGivenByItsNumber() {
        var policy =
                "{\"id\":\"texts%s\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"fullTextPolicy\":{\"defaultLanguage\":\"%s\",\"fullTextPaths\":[{\"path\":\"/text\",\"language\":\"%s\"}]}}";
        var created = client.post(CONTAINERS, policy.formatted(1, "en-US", "1033"));
        assertCreated(created);
        var path = created.json().path("fullTextPolicy").path("fullTextPaths").get(0);
        assertThat(path.path("language").textValue()).isEqualTo("en-US");
        assertRefused(
                400,
                "The Full Text Policy contains an unsupported language xx-XX. Supported languages are: ",
                client.post(CONTAINERS, policy.formatted(2, "en-US", "xx-XX")));
        assertRefused(
                400,
                "The Full Text Policy contains an unsupported language . Supported",
                client.post(CONTAINERS, policy.formatted(2, "", "en-US")));
    }

    @Test
    void aNewContainerMayHoldTenGigabytes() {
        var read = client.send(
                WireRequest.of("GET", CONTAINERS + "/items").header("x-ms-documentdb-populatequotainfo", "true"));
        assertThat(read.header("x-ms-resource-quota").orElseThrow()).contains("collectionSize=10485760;");
    }

    @Test
    void aClientThatKnowsNoPartitionKeysMakesAContainerWithout() {
        assertRefused(400, "partitionKey", client.post(CONTAINERS, "{\"id\":\"old\"}"));
        var old = "2018-09-17";
        assertCreated(client.send(WireRequest.of("POST", CONTAINERS)
                .header("x-ms-version", old)
                .body("{\"id\":\"old\",\"partitionKey\":null}")));
        var key = client.get(CONTAINERS + "/old").json().path("partitionKey");
        assertThat(key.path("systemKey").booleanValue()).isTrue();

        var items = CONTAINERS + "/old/docs";
        assertCreated(client.send(
                WireRequest.of("POST", items).header("x-ms-version", old).body("{\"id\":\"1\"}")));
        // Neither no key, nor none, nor an undefined one makes a difference.
        assertThat(client.get(items + "/1").status()).isEqualTo(200);
        for (var none : new String[] {"[]", "[{}]"}) {
            assertThat(client.send(WireRequest.of("GET", items + "/1").header(KEY, none))
                            .status())
                    .as(none)
                    .isEqualTo(200);
            var query = client.send(WireRequest.of("POST", items)
                    .header(KEY, none)
                    .header("x-ms-documentdb-isquery", "true")
                    .header("content-type", "application/query+json")
                    .body("{\"query\":\"SELECT * FROM c\"}"));
            assertThat(query.json().path("_count").intValue()).as(query.body()).isEqualTo(1);
        }
    }

    // ---- items ----

    @Test
    void whatIsNotThereHasNoOwner() {
        var read = client.send(WireRequest.of("GET", ITEMS + "/none").header(KEY, "[\"p\"]"));
        assertRefused(404, "Entity with the specified id does not exist in the system.", read);
        var patch = client.send(WireRequest.of("PATCH", ITEMS + "/none")
                .header(KEY, "[\"p\"]")
                .body("[{\"op\":\"set\",\"path\":\"/a\",\"value\":1}]"));
        assertRefused(404, "Resource Not Found", patch);
        for (var reply : new WireReply[] {read, patch}) {
            assertThat(reply.header("x-ms-session-token")).isPresent();
            assertThat(reply.header("x-ms-content-path")).isEmpty();
            assertThat(reply.header("x-ms-alt-content-path")).isEmpty();
        }
    }

    @Test
    void aTimeToLiveIsANumberOrMissing() {
        assertCreated(write("{\"id\":\"kept\",\"pk\":\"p\"}", "p"));
        var nothing = "{\"id\":\"kept\",\"pk\":\"p\",\"ttl\":null}";
        var item = ITEMS + "/kept";
        for (var request : new WireRequest[] {
            WireRequest.of("POST", ITEMS).body(nothing.replace("kept", "new")),
            WireRequest.of("POST", ITEMS)
                    .header("x-ms-documentdb-is-upsert", "true")
                    .body(nothing),
            WireRequest.of("PUT", item).body(nothing),
            WireRequest.of("PATCH", item).body("[{\"op\":\"set\",\"path\":\"/ttl\",\"value\":null}]")
        }) {
            assertRefused(400, "The input ttl is invalid", client.send(request.header(KEY, "[\"p\"]")));
        }
        for (var operation : new String[] {
            "{\"operationType\":\"Create\",\"resourceBody\":" + nothing.replace("kept", "new") + "}",
            "{\"operationType\":\"Upsert\",\"resourceBody\":" + nothing + "}",
            "{\"operationType\":\"Replace\",\"id\":\"kept\",\"resourceBody\":" + nothing + "}",
            "{\"operationType\":\"Patch\",\"id\":\"kept\",\"resourceBody\":{\"operations\":[{\"op\":\"add\",\"path\":\"/ttl\",\"value\":null}]}}"
        }) {
            var batch = client.send(WireRequest.of("POST", ITEMS)
                    .header(KEY, "[\"p\"]")
                    .header("x-ms-cosmos-is-batch-request", "true")
                    .header("x-ms-cosmos-batch-atomic", "true")
                    .body("[" + operation + "]"));
            assertThat(batch.json().findValuesAsText("statusCode"))
                    .as(operation + ": " + batch.body())
                    .containsExactly("400");
        }
        var read = client.send(WireRequest.of("GET", item).header(KEY, "[\"p\"]"));
        assertThat(read.json().has("ttl")).isFalse();
        assertThat(client.send(WireRequest.of("GET", ITEMS + "/new").header(KEY, "[\"p\"]"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void theFirstWriteOfANewRangeIsTheSecondOfItsLog() {
        assertCreated(client.post(CONTAINERS, "{\"id\":\"fresh\",\"partitionKey\":{\"paths\":[\"/pk\"]}}"));
        var items = CONTAINERS + "/fresh/docs";
        for (int written = 0; written < 2; written++) {
            var created = client.send(WireRequest.of("POST", items)
                    .header(KEY, "[\"p\"]")
                    .body("{\"id\":\"%d\",\"pk\":\"p\"}".formatted(written)));
            assertCreated(created);
            assertThat(created.header("lsn")).contains(Integer.toString(2 + written));
            assertThat(created.header("x-ms-item-lsn")).contains(Integer.toString(2 + written));
            assertThat(created.header("x-ms-session-token").orElseThrow()).endsWith("#" + (2 + written));
        }
    }

    @Test
    void aKeyThatDoesNotFitIsRefusedInTheWordsOfTheService() {
        assertRefused(
                400,
                "PartitionKey extracted from document doesn't match the one specified in the header.",
                write("{\"id\":\"1\",\"pk\":\"p\"}", "other"));
        assertRefused(400, "wrong-pk-value", write("{\"id\":\"1\",\"pk\":\"p\"}", "other"));
        assertRefused(
                400,
                "Partition key provided either doesn't correspond to definition in the collection or doesn't match"
                        + " partition key field values specified in the document.",
                client.send(WireRequest.of("GET", ITEMS + "/1").header(KEY, "[\"a\",\"b\"]")));
    }

    @Test
    void aBatchKeepsToOneKey() {
        var batch = client.send(WireRequest.of("POST", ITEMS)
                .header(KEY, "[\"p\"]")
                .header("x-ms-cosmos-is-batch-request", "true")
                .header("x-ms-cosmos-batch-atomic", "true")
                .body("[{\"operationType\":\"Read\",\"id\":\"1\",\"partitionKey\":\"[\\\"other\\\"]\"}]"));
        assertRefused(
                400,
                "One or more operations within the batch request have a different partition key value than the"
                        + " request.",
                batch);
    }

    @Test
    void whatIsTooLargeIsRefusedInTheWordsOfTheService() {
        assertRefused(
                413,
                "Message: {\"Errors\":[\"Request size is too large\"]}\r\n",
                write("{\"id\":\"1\",\"pk\":\"p\",\"a\":\"" + "x".repeat(2_100_000) + "\"}", "p"));
    }

    @Test
    void whatIsTakenOrHasChangedIsRefusedInTheWordsOfTheService() {
        assertCreated(write("{\"id\":\"taken\",\"pk\":\"p\"}", "p"));
        assertRefused(
                409,
                "Resource with specified id or name already exists.",
                write("{\"id\":\"taken\",\"pk\":\"p\"}", "p"));
        assertRefused(
                412,
                "One of the specified pre-condition is not met",
                client.send(WireRequest.of("DELETE", ITEMS + "/taken")
                        .header(KEY, "[\"p\"]")
                        .header("if-match", "\"other\"")));
    }

    @Test
    void systemPropertiesStayAwayWhenAskedTo() {
        assertCreated(write("{\"id\":\"bare\",\"pk\":\"bare\",\"a\":[1,{\"_ts\":2}]}", "bare"));
        for (var path : new String[] {ITEMS + "/bare", ITEMS}) {
            var reply = client.send(WireRequest.of("GET", path)
                    .header(KEY, "[\"bare\"]")
                    .header("x-ms-exclude-system-properties", "true"));
            assertThat(reply.body()).contains("{\"id\":\"bare\",\"pk\":\"bare\",\"a\":[1,{\"_ts\":2}]}");
        }
    }

    @Test
    void aSessionTokenMayEndWithAComma() {
        var created = write("{\"id\":\"comma\",\"pk\":\"p\"}", "p");
        var token = created.header("x-ms-session-token").orElseThrow();
        var read = client.send(WireRequest.of("GET", ITEMS + "/comma")
                .header(KEY, "[\"p\"]")
                .header("x-ms-session-token", token + ","));
        assertThat(read.status()).as(read.body()).isEqualTo(200);
    }

    @Test
    void allVersionsFromTheBeginningAreRefusedInTheWordsOfTheService() {
        assertRefused(
                400,
                "You must read the change feed from within the retention period.",
                client.send(WireRequest.of("GET", ITEMS).header("A-IM", "Full-Fidelity Feed")));
    }

    @Test
    void aForeignContinuationIsRefusedInTheWordsOfTheService() {
        assertRefused(
                400,
                "Invalid Continuation Token",
                client.send(WireRequest.of("GET", ITEMS).header("x-ms-continuation", "foreign")));
    }

    @Test
    void aPartitionIsDeletedWithTwoHundred() {
        assertCreated(write("{\"id\":\"1\",\"pk\":\"doomed\"}", "doomed"));
        var deleted = client.send(WireRequest.of("POST", CONTAINERS + "/items/operations/partitionkeydelete")
                .header(KEY, "[\"doomed\"]"));
        assertThat(deleted.status()).as(deleted.body()).isEqualTo(200);
        assertThat(client.send(WireRequest.of("GET", ITEMS + "/1").header(KEY, "[\"doomed\"]"))
                        .status())
                .isEqualTo(404);
    }

    // ---- scripts, permissions, offers, the account ----

    @Test
    void aTriggerIsReadWhenItRuns() {
        var triggers = CONTAINERS + "/items/triggers";
        assertCreated(client.post(
                triggers,
                "{\"id\":\"odd\",\"body\":\"serverScript() { var x = 10;"
                        + " }\",\"triggerType\":\"Pre\",\"triggerOperation\":\"All\"}"));
        assertCreated(client.post(
                triggers,
                "{\"id\":\"onDelete\",\"body\":\"function ()"
                        + " {}\",\"triggerType\":\"Pre\",\"triggerOperation\":\"Delete\"}"));
        for (var trigger : new String[] {"odd", "onDelete"}) {
            var refused = client.send(WireRequest.of("POST", ITEMS)
                    .header(KEY, "[\"p\"]")
                    .header("x-ms-documentdb-pre-trigger-include", trigger)
                    .body("{\"id\":\"triggered\",\"pk\":\"p\"}"));
            assertThat(refused.status()).as(trigger + ": " + refused.body()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource({"a\\rb, a%0Db", "a\\nb, a%0Ab", "a\\tb, a%09b"})
    void theNameOfAScriptMayHaveSeveralLines(String spelled, String inAddress) {
        var container = CONTAINERS + "/items/";
        assertCreated(
                client.post(container + "sprocs", "{\"id\":\"%s\",\"body\":\"function () {}\"}".formatted(spelled)));
        assertCreated(client.post(
                container + "triggers",
                "{\"id\":\"%s\",\"body\":\"function () {}\",\"triggerType\":\"Pre\",\"triggerOperation\":\"All\"}"
                        .formatted(spelled)));
        for (var kind : new String[] {"sprocs/", "triggers/"}) {
            var read = client.get(container + kind + inAddress);
            assertThat(read.status()).as(read.body()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"a?b, a%3Fb", "a#b, a%23b", "a/b, a%2Fb"})
    void theNameOfAScriptThatCouldNotBeCreatedIsNotFound(String spelled, String inAddress) {
        var triggers = CONTAINERS + "/items/triggers";
        assertRefused(
                400,
                "id",
                client.post(
                        triggers,
                        "{\"id\":\"%s\",\"body\":\"function () {}\",\"triggerType\":\"Pre\",\"triggerOperation\":\"All\"}"
                                .formatted(spelled)));
        assertRefused(
                404,
                "Entity with the specified id does not exist in the system.",
                client.send(WireRequest.of("DELETE", triggers + "/" + inAddress)));
    }

    @Test
    void aPermissionMayComeBeforeWhatItIsFor() {
        assertCreated(client.post(DATABASE + "/users", "{\"id\":\"early\"}"));
        var permissions = DATABASE + "/users/early/permissions";
        assertCreated(client.post(
                permissions,
                "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/expectations/colls/later\"}"));
        assertCreated(client.post(CONTAINERS, "{\"id\":\"later\",\"partitionKey\":{\"paths\":[\"/pk\"]}}"));
        assertThat(client.get(permissions + "/p").json().path("_token").textValue())
                .isNotEmpty();
    }

    @Test
    void anOfferIsFoundUnderItsNameSaidTwice() {
        var container = client.get(CONTAINERS + "/items").json();
        var offers = client.get("/offers").json().path("Offers");
        for (var offer : offers) {
            if (offer.path("offerResourceId").equals(container.path("_rid"))) {
                var rid = offer.path("_rid").textValue();
                var replaced = client.send(
                        WireRequest.of("PUT", "/offers/offers/" + rid + "/").body(offer.toString()));
                assertThat(replaced.status()).as(replaced.body()).isEqualTo(200);
                return;
            }
        }
        throw new AssertionError("The container has no offer: " + offers);
    }

    @Test
    void theAccountHasNoRoomForMedia() {
        var account = client.get("/");
        assertThat(account.header("x-ms-max-media-storage-usage-mb")).contains("0");
        assertThat(account.header("x-ms-media-storage-usage-mb")).contains("0");
    }

    private static WireReply container(String indexingPolicy) {
        var created = client.post(
                CONTAINERS,
                "{\"id\":\"c%d\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"indexingPolicy\":%s}"
                        .formatted(System.nanoTime(), indexingPolicy));
        assertCreated(created);
        return created;
    }

    private static WireReply write(String item, String key) {
        return client.send(
                WireRequest.of("POST", ITEMS).header(KEY, "[\"" + key + "\"]").body(item));
    }

    private static void assertCreated(WireReply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    }

    private static void assertRefused(int status, String words, WireReply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.json().path("message").textValue()).contains(words);
    }
}
