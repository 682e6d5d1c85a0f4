package dev.orrery.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.access.AccessTokens;
import dev.orrery.engine.access.Grant;
import dev.orrery.engine.query.Continuation;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.auth.Authenticator;
import dev.orrery.gateway.binaryjson.BinaryJson;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.http.RequestHeaders;
import dev.orrery.gateway.hybridrow.OperationRow;
import dev.orrery.gateway.hybridrow.RecordStream;
import dev.orrery.gateway.request.OperationReader;
import dev.orrery.gateway.request.TypedHeaders;
import dev.orrery.gateway.route.Route;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.SessionToken;
import dev.orrery.model.definition.PermissionDefinition.Mode;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.sql.Query;
import dev.orrery.sql.syntax.QueryParser;
import dev.orrery.sql.syntax.SyntaxPrinter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever a client sends is taken or refused in words; nothing else is ever thrown. */
class ParserFuzzTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-15T18:19:28Z"));
    private static final InetSocketAddress CLIENT = InetSocketAddress.createUnresolved("client", 1);

    @Test
    void json() {
        Fuzz.texts(
                "JSON",
                List.of(
                        "{\"id\":\"1\",\"a\":[1,-2.5e-3,null,true,{\"b\":\"\\u00e4\\n\"}],\"_ts\":1767225600}",
                        "[\"\\ud83d\\ude00\",0.1,12345678901234567890,{}]",
                        "{\"a\":{\"b\":{\"c\":[[[[1]]]]}}}",
                        "\"text\""),
                input -> {
                    refusable(() -> JsonScanner.scan(input));
                    refusable(() -> {
                        var value = JsonReader.parse(input);
                        var written = JsonWriter.bytes(value);
                        assertThat(JsonReader.parse(written)).isEqualTo(value);
                        assertThat(JsonScanner.scan(written)).isNotNull();
                    });
                });
    }

    @Test
    void sql() {
        Fuzz.texts(
                "SQL",
                List.of(
                        "SELECT * FROM c WHERE c.a = 'x' AND NOT (c.b > 1.5 OR c.c IN (1, 2, \"y\")) ORDER BY c.d DESC",
                        "SELECT TOP 10 c.id, c[\"a b\"] AS x, {\"p\": c.q, r: [1, c.s]} FROM c JOIN t IN c.tags",
                        "SELECT DISTINCT VALUE COUNT(1) FROM root r WHERE EXISTS(SELECT VALUE x FROM x IN r.y)",
                        "SELECT c.k, SUM(c.v) AS s FROM c GROUP BY c.k OFFSET 5 LIMIT 10",
                        "SELECT udf.f(c.a ?? @p, -c.b % 3 << 2, c.d ? 1 : 'a' || \"b\") FROM c IN d.e",
                        "SELECT c.a BETWEEN 1 AND 2, c.s LIKE '%x!%%' ESCAPE '!', ARRAY(SELECT 1) FROM c",
                        "SELECT TOP @n * FROM c ORDER BY RANK RRF(FullTextScore(c.t, 'a'), VectorDistance(c.v,"
                                + " [1,2]))"),
                input -> {
                    var text = new String(input, StandardCharsets.UTF_8);
                    refusable(() -> {
                        var query = QueryParser.parse(text);
                        assertThat(QueryParser.parse(SyntaxPrinter.print(query)))
                                .isEqualTo(query);
                    });
                    refusable(() -> Query.of(text));
                });
    }

    @Test
    void binaryJson() {
        Fuzz.bytes(
                "binary JSON",
                List.of(
                        HexFormat.of().parseHex("80" + "eb11" + "22" + "8231" + "81" + "82" + "6162" + "d0"),
                        HexFormat.of().parseHex("80" + "e30c" + "01" + "c805" + "cc000000000000f83f" + "d1"),
                        HexFormat.of().parseHex("80" + "c0051234567890"),
                        HexFormat.of().parseHex("80" + "ea08" + "8161" + "e206" + "01" + "8162"),
                        HexFormat.of().parseHex("8085" + "68656c6c6f")),
                input -> refusable(() -> {
                    if (BinaryJson.begins(input)) {
                        JsonReader.parse(BinaryJson.text(input));
                    }
                }));
    }

    @Test
    void hybridRows() {
        var row = HexFormat.of()
                .parseHex("81" + "00c7ffff7f" + "03000000" + "01000000" + "0000000000000000" + "01610762" + "017b7d");
        Fuzz.bytes(
                "HybridRow",
                List.of(RecordStream.encode(List.of(row, row)), RecordStream.encode(List.of(row)), row),
                input -> {
                    refusable(() -> OperationRow.decode(ByteBuffer.wrap(input)));
                    refusable(() -> {
                        var stream = new RecordStream(input);
                        while (stream.hasNext()) {
                            OperationRow.decode(stream.next());
                        }
                    });
                });
    }

    @Test
    void resourceTokens() {
        var tokens = new AccessTokens(() -> List.of(new byte[] {1, 2, 3}), CLOCK);
        var database = Rid.database(1);
        var user = Rid.user(database, 2);
        var token = tokens.issue(
                Rid.permission(user, 3),
                user,
                new Grant(Mode.READ, Rid.container(database, 4), Optional.empty(), Optional.empty()),
                3600);
        var claims = tokens.prove(token);
        Fuzz.texts(
                "resource tokens",
                List.of(token),
                input -> refusable(() -> {
                    var text = new String(input, StandardCharsets.UTF_8);
                    assertThat(tokens.prove(text))
                            .as("only the token itself is one")
                            .isEqualTo(claims);
                    assertThat(text).isEqualTo(token);
                }));
    }

    @Test
    void sessionTokensAndPartitionKeys() {
        Fuzz.texts(
                "session tokens",
                List.of("0:-1#12", "1:0#5#2=7#3=9,2:-1#4", "0:3#100#1=20"),
                input -> refusable(() -> SessionToken.parse(new String(input, StandardCharsets.UTF_8))));
        Fuzz.texts(
                "partition keys",
                List.of("[\"a\",1,null,true,{}]", "[\"\\u00e4\"]", "[]"),
                input -> refusable(() -> PartitionKey.parse(new String(input, StandardCharsets.UTF_8))));
    }

    @Test
    void continuations() {
        var purpose = Continuation.Purpose.of("SELECT * FROM c");
        var token = Continuation.start(purpose, CLOCK.instant())
                .at(7, 3, new byte[] {0x10, 1, 2, 3})
                .encode();
        Fuzz.texts(
                "continuations",
                List.of(token, Continuation.start(purpose, CLOCK.instant()).encode()),
                input -> refusable(() -> Continuation.decode(new String(input, StandardCharsets.UTF_8), purpose)));
    }

    @Test
    void signatures() {
        var authenticator =
                new Authenticator(() -> AccountKeys.of(AccountKeys.WELL_KNOWN), Duration.ofMinutes(15), CLOCK);
        Fuzz.texts(
                "signatures",
                List.of(
                        "type%3Dmaster%26ver%3D1.0%26sig%3Dabcd%2Befg%3D",
                        "type=master&ver=1.0&sig=AAAA",
                        "type%3Dresource%26ver%3D1%26sig%3Dx%3By%3B",
                        "type=aad&ver=1.0&sig=ey.J.x"),
                input -> {
                    var headers = RequestHeaders.of(
                            Map.of("authorization", printable(input), "date", "Sun, 15 Nov 2026 18:19:28 GMT"));
                    var request = new HttpRequest("GET", "/dbs/d", "", headers, new byte[0], false, CLIENT);
                    refusable(() -> {
                        var proof = authenticator.authenticate(request, Route.parse("/dbs/d", ""));
                        assertThat(proof.by()).as("no signature fits").isEqualTo("resource token");
                    });
                });
    }

    @Test
    void requests() {
        Fuzz.texts(
                "requests",
                List.of(
                        "POST /dbs/d/colls/c/docs accept:application/json\n{\"id\":\"1\"}",
                        "POST /dbs/d/colls/c/docs content-type:application/query+json\n{\"query\":\"SELECT * FROM c\"}",
                        "GET /dbs/d/colls/c/docs/a%20b if-none-match:\"1\"\n",
                        "PATCH /dbs/d/colls/c/docs/i if-match:\"0\"\n"
                                + "{\"operations\":[{\"op\":\"add\",\"path\":\"/a/0\",\"value\":1}]}",
                        "POST /dbs/d/colls/c/docs prefer:return=minimal\n"
                                + "[{\"operationType\":\"Create\",\"resourceBody\":{\"id\":\"1\"}}]",
                        "GET /dbs/d/colls/c/docs a-im:Incremental Feed\n",
                        "PUT /dbs/d/colls/c if-match:*\n" + "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\"]}}"),
                input -> {
                    var text = new String(input, StandardCharsets.UTF_8);
                    var lines = text.split("\n", 2);
                    var words = lines[0].split(" ", 3);
                    if (words.length < 3 || words[2].indexOf(':') < 1) {
                        return;
                    }
                    var name = words[2].substring(0, words[2].indexOf(':'));
                    if (!name.matches("[a-z0-9-]+")) {
                        return;
                    }
                    var headers = RequestHeaders.of(Map.of(
                            name,
                            printable(words[2].substring(name.length() + 1).getBytes(StandardCharsets.UTF_8))));
                    var body = lines.length < 2 ? new byte[0] : lines[1].getBytes(StandardCharsets.UTF_8);
                    var request = new HttpRequest(words[0], words[1], "", headers, body, false, CLIENT);
                    refusable(() -> OperationReader.read(
                            Route.parse(request.rawPath(), request.rawQuery()),
                            request,
                            new TypedHeaders(request),
                            false));
                });
    }

    private interface Reading {
        void run() throws Exception;
    }

    private static void refusable(Reading reading) throws Exception {
        try {
            reading.run();
        } catch (FailureException _) {
            // The other right answer.
        }
    }

    /** What a header can hold: the reader of requests lets nothing else through. */
    private static String printable(byte[] input) {
        return new String(input, StandardCharsets.ISO_8859_1)
                .replaceAll("[^ -~]", "?")
                .strip();
    }
}
