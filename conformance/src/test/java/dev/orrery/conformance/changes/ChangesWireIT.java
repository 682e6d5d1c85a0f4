package dev.orrery.conformance.changes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The change feed as headers and bytes: what SDKs rely on without showing it. */
class ChangesWireIT {
    private static final String WIRE_FORMAT = "x-ms-cosmos-changefeed-wire-format-version";

    private static final String RANGE = "x-ms-documentdb-partitionkeyrangeid";

    private static WireClient client;
    private static Items oneItem;

    @BeforeAll
    static void createDatabase() {
        client = new WireClient(SharedServer.running());
        assertThat(client.post("/dbs", "{\"id\":\"changes-wire\"}").status()).isEqualTo(201);
        oneItem = container("one-item", 400);
        oneItem.write("a");
    }

    @Test
    void everyReplyTellsWhereToGoOn() {
        var items = container("etag", 400);
        assertThat(items.changes().status()).isEqualTo(304);
        assertThat(items.changes().header("etag")).isPresent();
        items.write("a");

        var full = items.changes();
        assertThat(full.status()).isEqualTo(200);
        assertThat(full.json().path("_count").intValue()).isEqualTo(1);
        assertThat(full.header("x-ms-continuation")).isEmpty();
        var etag = full.header("etag").orElseThrow();
        assertThat(etag).matches("\"\\d+\"");

        var empty = items.changesAfter(etag);
        assertThat(empty.status()).isEqualTo(304);
        assertThat(empty.header("etag")).contains(etag);
        assertThat(empty.header("x-ms-request-charge")).isPresent();

        var now = items.changesAfter("*");
        assertThat(now.status()).isEqualTo(304);
        assertThat(now.header("etag")).contains(etag);
        items.write("b");
        assertThat(items.changesAfter(etag).json().at("/Documents/0/id").textValue())
                .isEqualTo("b");
    }

    @Test
    void theLagIsTheSessionsLsnLessThatOfTheFirstItem() {
        var items = container("lag", 400);
        IntStream.range(0, 10).forEach(i -> items.write("i" + i));
        var etag = "\"0\"";
        for (int left = 10; left > 0; left--) {
            var page = items.ask("A-IM", "Incremental Feed", "If-None-Match", etag, "x-ms-max-item-count", "1");
            assertThat(page.json().path("Documents")).hasSize(1);
            long lsn = page.json().at("/Documents/0/_lsn").longValue();
            assertThat(lsn(page) - lsn + 1).isEqualTo(left);
            etag = page.header("etag").orElseThrow();
        }
        var drained = items.changesAfter(etag);
        assertThat(drained.status()).isEqualTo(304);
        assertThat('"' + Long.toString(lsn(drained)) + '"').isEqualTo(etag);
    }

    @Test
    void latestVersionsComePlainOrWithWhatHappened() {
        var items = container("formats", 400);
        items.write("a");

        var plain = items.changes().json().at("/Documents/0");
        var wrapped = items.ask("A-IM", "Incremental Feed", WIRE_FORMAT, "2021-09-15")
                .json()
                .at("/Documents/0");

        assertThat(plain.path("id").textValue()).isEqualTo("a");
        assertThat(plain.path("_lsn").isIntegralNumber()).isTrue();
        assertThat(wrapped.at("/current/id").textValue()).isEqualTo("a");
        assertThat(wrapped.at("/metadata/operationType").textValue()).isEqualTo("create");
        assertThat(wrapped.at("/metadata/lsn")).isEqualTo(plain.path("_lsn"));
        assertThat(wrapped.at("/metadata/crts")).isEqualTo(plain.path("_ts"));
    }

    @Test
    void allVersionsComeWithWhatHappened() {
        var items = container("versions", 400);
        var start = items.ask("A-IM", "Full-Fidelity Feed", "If-None-Match", "*");
        assertThat(start.status()).isEqualTo(304);
        items.write("a");
        items.write("a");

        var changes = items.ask(
                        "A-IM",
                        "Full-Fidelity Feed",
                        "If-None-Match",
                        start.header("etag").orElseThrow())
                .json()
                .path("Documents");

        assertThat(changes.findValuesAsText("operationType")).containsExactly("create", "replace");
        var beginning = items.ask("A-IM", "Full-Fidelity Feed");
        assertThat(beginning.status()).isEqualTo(400);
        assertThat(beginning.json().path("message").textValue()).contains("If-None-Match");
    }

    @Test
    void aNumberNearTheLargestIsAfterEverything() {
        var reply = oneItem.ask("A-IM", "Incremental Feed", "If-None-Match", "\"9223372036854775797\"");
        assertThat(reply.status()).as(reply.body()).isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Incremental Feed", "Incremental feed", "INCREMENTAL FEED", " incremental feed "})
    void theMannerIsReadInAnyCase(String manner) {
        assertThat(oneItem.ask("A-IM", manner).json().path("Documents")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A-IM              | Gradual Feed                  | A-IM",
                "If-None-Match     | \"12a\"                       | If-None-Match",
                "If-None-Match     | \"-1\"                        | If-None-Match",
                "If-None-Match     | \"99999999\"                  | 99999999",
                "If-None-Match     | \"99999999999999999999999999\"| If-None-Match",
                "If-None-Match     | \"1,2\"                       | If-None-Match",
                "If-None-Match     | \"99999999999:1\"             | If-None-Match",
                "If-Modified-Since | yesterday                     | If-Modified-Since",
                "If-Modified-Since | 2026-11-15T18:19:28Z          | If-Modified-Since",
                WIRE_FORMAT + "    | 2020-01-01                   | " + WIRE_FORMAT,
            })
    void whatIsNotUnderstoodIsRefusedByName(String header, String value, String named) {
        var reply = header.equals("A-IM")
                ? oneItem.ask(header, value)
                : oneItem.ask("A-IM", "Incremental Feed", header, value);
        assertThat(reply.status()).as(reply.body()).isEqualTo(400);
        assertThat(reply.json().path("code").textValue()).isEqualTo("BadRequest");
        assertThat(reply.json().path("message").textValue()).contains(named);
    }

    @Test
    void aRangeThatWasSplitIsGoneAndItsChildrenGoOnFromItsPlace() {
        var items = container("split", 400);
        IntStream.range(0, 20).forEach(i -> items.write("before-" + i));
        var parent = items.rangeIds().getFirst();
        var etag = items.changesOf(parent, "\"0\"").header("etag").orElseThrow();
        items.grow(10_100, 2);
        IntStream.range(0, 20).forEach(i -> items.write("after-" + i));

        var gone = items.changesOf(parent, etag);
        assertThat(gone.status()).isEqualTo(410);
        assertThat(gone.substatus()).isEqualTo(1002);

        var before = new HashSet<String>();
        var after = new HashSet<String>();
        for (var child : items.rangeIds()) {
            before.addAll(ids(items.changesOf(child, "\"0\"")));
            var ofChild = ids(items.changesOf(child, etag));
            assertThat(ofChild).isNotEmpty();
            after.addAll(ofChild);
        }
        assertThat(after)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 20).mapToObj(i -> "after-" + i).toList());
        assertThat(before).hasSize(40);
    }

    @Test
    void aPartOfARangeIsAskedForByItsBoundsAlone() {
        var items = container("bounds", 400);
        IntStream.range(0, 30).forEach(i -> items.write("i" + i));
        var middle = "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF";
        var low = ids(items.ask("A-IM", "Incremental feed", "x-ms-start-epk", "", "x-ms-end-epk", middle, RANGE, "0"));
        var high =
                ids(items.ask("A-IM", "Incremental feed", "x-ms-start-epk", middle, "x-ms-end-epk", "FF", RANGE, "0"));
        assertThat(low).isNotEmpty().doesNotContainAnyElementsOf(high);
        assertThat(high).isNotEmpty();
        assertThat(low.size() + high.size()).isEqualTo(30);
    }

    private static Items container(String name, int units) {
        var created = client.send(WireRequest.of("POST", "/dbs/changes-wire/colls")
                .header("x-ms-offer-throughput", Integer.toString(units))
                .body("{\"id\":\"%s\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}"
                        .formatted(name)));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        return new Items(
                "/dbs/changes-wire/colls/" + name, created.json().path("_rid").textValue());
    }

    private static long lsn(WireReply reply) {
        var token = reply.header("x-ms-session-token").orElseThrow();
        var lsn = token.substring(token.indexOf('#') + 1);
        return Long.parseLong(lsn.contains("#") ? lsn.substring(0, lsn.indexOf('#')) : lsn);
    }

    private static List<String> ids(WireReply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().path("Documents").findValuesAsText("id");
    }

    /** One container. */
    private record Items(String path, String rid) {
        void write(String id) {
            var reply = client.send(WireRequest.of("POST", path + "/docs")
                    .header("x-ms-documentdb-partitionkey", "[\"" + id + "\"]")
                    .header("x-ms-documentdb-is-upsert", "true")
                    .body("{\"id\":\"%s\",\"pk\":\"%s\"}".formatted(id, id)));
            assertThat(reply.status()).as(reply.body()).isIn(200, 201);
        }

        WireReply changes() {
            return ask("A-IM", "Incremental Feed");
        }

        WireReply changesAfter(String etag) {
            return ask("A-IM", "Incremental Feed", "If-None-Match", etag);
        }

        WireReply changesOf(String range, String etag) {
            return ask("A-IM", "Incremental Feed", "If-None-Match", etag, RANGE, range);
        }

        WireReply ask(String... headers) {
            var request = WireRequest.of("GET", path + "/docs");
            for (int i = 0; i < headers.length; i += 2) {
                request = request.header(headers[i], headers[i + 1]);
            }
            return client.send(request);
        }

        List<String> rangeIds() {
            var ids = new ArrayList<String>();
            for (JsonNode range : client.get(path + "/pkranges").json().path("PartitionKeyRanges")) {
                ids.add(range.path("id").textValue());
            }
            return ids;
        }

        void grow(int units, int ranges) {
            for (JsonNode offer : client.get("/offers").json().path("Offers")) {
                if (offer.path("offerResourceId").textValue().equals(rid)) {
                    replace(offer, units);
                }
            }
            Await.until("there are " + ranges + " ranges", () -> rangeIds().size() == ranges);
        }

        private static void replace(JsonNode offer, int units) {
            var more = offer.toString().replaceAll("\"offerThroughput\":\\d+", "\"offerThroughput\":" + units);
            var reply = client.sendByResourceId(
                    WireRequest.of("PUT", "/offers/" + offer.path("_rid").textValue())
                            .body(more));
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        }
    }
}
