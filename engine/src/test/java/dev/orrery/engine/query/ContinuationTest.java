package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.query.Continuation.Purpose;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContinuationTest {
    private static final QueryText ALL = TestDatabase.queryText("SELECT * FROM c", Map.of());
    private static final Purpose PURPOSE = Purpose.of("rid", "SELECT * FROM c");
    private static final Continuation SOMEWHERE =
            new Continuation(PURPOSE, Instant.parse("2026-01-02T03:04:05.678901234Z"), 17, 3, new byte[] {1, 2, 3});

    @Test
    void whatATokenCarriesComesBack() {
        var read = Continuation.decode(SOMEWHERE.encode(), PURPOSE);
        assertThat(read).usingRecursiveComparison().isEqualTo(SOMEWHERE);
    }

    @Test
    void aTokenWithAnyCharacterChangedAddedOrLostIsRefused() {
        var token = SOMEWHERE.encode();
        var damaged = new ArrayList<String>();
        for (int at = 0; at < token.length(); at++) {
            for (char other : "A9-_ {%é".toCharArray()) {
                if (other != token.charAt(at)) {
                    damaged.add(token.substring(0, at) + other + token.substring(at + 1));
                }
            }
            damaged.add(token.substring(0, at));
            damaged.add(token.substring(0, at) + token.substring(at + 1));
            damaged.add(token.substring(0, at) + "A" + token.substring(at));
        }
        damaged.addAll(List.of("", "null", "-RID:~abc#RT:1#TRC:10", token + token, "A".repeat(1_000_000)));
        for (var text : damaged) {
            assertThatThrownBy(() -> Continuation.decode(text, PURPOSE))
                    .as(text)
                    .isInstanceOfSatisfying(
                            FailureException.class,
                            refusal -> assertThat(refusal.failure()).isInstanceOf(Failure.BadRequest.class));
        }
    }

    @Test
    void queriesThatDifferALittleDoNotShareTokens() {
        assertThat(List.of(
                        Purpose.digest("rid", "SELECT Aa FROM c"),
                        Purpose.digest("rid", "SELECT BB FROM c"),
                        Purpose.digest("rid", "SELECT BB FROM c", ""),
                        Purpose.digest("ridSELECT", " BB FROM c"),
                        Purpose.digest("rid")))
                .doesNotHaveDuplicates();
    }

    @Test
    void aTokenThatHoldsAPlaceServesTheSameQueryWhateverItLeavesOut() {
        try (var database = withItems()) {
            var one = TestDatabase.queryText("SELECT * FROM c WHERE c.v < @v", Map.of("@v", new Num(5)));
            var token = token(database, one);
            assertThat(page(database, one, token)).isInstanceOf(Answer.Feed.class);
            assertThat(page(database, ALL, token)).isInstanceOf(Answer.Feed.class);
            for (var other : List.of(
                    "SELECT c.v FROM c", "SELECT * FROM c ORDER BY c.v", "SELECT * FROM d", "SELECT TOP 7 * FROM c")) {
                assertThat(page(database, TestDatabase.queryText(other, Map.of()), token))
                        .as(other)
                        .isInstanceOf(Answer.Refused.class);
            }
        }
    }

    /** As the JavaScript SDK goes on: behind the rows it has seen there may be none that it wants. */
    @Test
    void aSortedQueryGoesOnBehindItsPlaceWithAnotherCondition() {
        try (var database = withItems()) {
            for (var order : List.of("c.v", "c.v DESC")) {
                var first = token(
                        database,
                        TestDatabase.queryText("SELECT VALUE c.v FROM c WHERE (true) ORDER BY " + order, Map.of()));
                var behind = order.equals("c.v") ? "c.v >= 3" : "c.v <= 6";
                var rest = page(
                        database,
                        TestDatabase.queryText(
                                "SELECT VALUE c.v FROM c WHERE (" + behind + ") ORDER BY " + order, Map.of()),
                        first);
                assertThat(StandardCharsets.UTF_8
                                .decode(((Answer.Feed) rest).rows().getFirst())
                                .toString())
                        .isEqualTo(order.equals("c.v") ? "3" : "6");
            }
        }
    }

    @Test
    void aTokenThatCountsRowsServesOnlyTheQueryAndParametersThatItCameFrom() {
        try (var database = withItems()) {
            var text = "SELECT DISTINCT VALUE c.v FROM c WHERE c.v < @v";
            var one = TestDatabase.queryText(text, Map.of("@v", new Num(5)));
            var token = token(database, one);
            assertThat(page(database, one, token)).isInstanceOf(Answer.Feed.class);
            assertThat(page(database, spelledOtherwise(text), token)).isInstanceOf(Answer.Feed.class);
            assertThat(page(database, TestDatabase.queryText(text, Map.of("@v", new Num(6))), token))
                    .isInstanceOf(Answer.Refused.class);
            assertThat(page(database, TestDatabase.queryText("SELECT DISTINCT VALUE c.v FROM c", Map.of()), token))
                    .isInstanceOf(Answer.Refused.class);
        }
    }

    /** The same query in a body with other spaces and members in another order, as another client would send it. */
    private static QueryText spelledOtherwise(String text) {
        return new QueryText(TestDatabase.bytes(
                "{ \"parameters\": [ { \"value\": 5, \"name\": \"@v\" } ], \"query\": \"" + text + "\" }"));
    }

    @Test
    void whoLeavesTheRangesToTheServerGetsATokenThatTellsThem() {
        for (int units : List.of(400, 30_000)) {
            try (var database = TestDatabase.withContainer(
                    "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}", units)) {
                fill(database);
                var wrapped = token(database, ALL);
                var json = (Obj) JsonReader.parse(wrapped);
                assertThat(JsonWriter.text(json.member("range"))).isEqualTo("{\"min\":\"\",\"max\":\"FF\"}");
                var bare = ((Str) json.member("token")).value();
                assertThat(page(database, ALL, wrapped)).isEqualTo(page(database, ALL, bare));
                for (var wrong : List.of("{}", "{\"token\":5}", "{\"token\":", wrapped.replace(bare, "junk"))) {
                    assertThat(page(database, ALL, wrong))
                            .as(wrong)
                            .isInstanceOfSatisfying(
                                    Answer.Refused.class,
                                    refused -> assertThat(refused.failure().message())
                                            .startsWith("Invalid Continuation Token"));
                }
                var oneRange = new Scope(Optional.of("0"), Optional.empty(), Optional.empty());
                database.page(ALL, oneRange, new Page(Optional.of(1), Optional.empty()))
                        .facts()
                        .continuation()
                        .ifPresent(token -> assertThat(token).doesNotContain("{"));
            }
        }
    }

    @Test
    void allPagesSeeTheTimeOfTheFirst() {
        try (var database = withItems()) {
            var query = TestDatabase.queryText("SELECT VALUE GetCurrentDateTime() FROM c ORDER BY c.v", Map.of());
            var rows = database.query(query, Scope.ALL, 1, _ -> database.passSeconds(100));
            assertThat(rows).hasSize(10).containsOnly(rows.getFirst());
        }
    }

    @Test
    void itemsThatExpireBetweenPagesAreGone() {
        var definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":50}";
        try (var database = TestDatabase.withContainer(definition, 400)) {
            fill(database);
            var rows = database.query(ALL, Scope.ALL, 4, _ -> database.passSeconds(100));
            assertThat(rows).hasSize(4);
        }
    }

    @Test
    void tokensAreShortAndNeverLongerThanTheLimit() {
        try (var database = withItems()) {
            assertThat(bareToken(database, ALL)).hasSizeLessThan(100);
            assertThat(bareToken(database, TestDatabase.queryText("SELECT * FROM c ORDER BY c.v", Map.of())))
                    .hasSizeLessThan(100);
        }
        try (var database = TestDatabase.withContainer()) {
            for (var id : List.of("1", "2", "3")) {
                database.createItem(
                        "p", "{\"id\":\"" + id + "\",\"pk\":\"p\",\"v\":\"" + "x".repeat(50_000) + id + "\"}");
            }
            var sorted = TestDatabase.queryText("SELECT VALUE c.id FROM c ORDER BY c.v DESC", Map.of());
            assertThat(bareToken(database, sorted))
                    .as("a token of a sorted query holds its values unless they are large")
                    .hasSizeLessThan(100);
            assertThat(database.query(sorted, Scope.ALL, 1, _ -> {}))
                    .containsExactly(new Str("3"), new Str("2"), new Str("1"));
        }
        try (var database = TestDatabase.withContainer()) {
            var key = "\u0000".repeat(Limits.PARTITION_KEY_BYTES_MAX);
            for (var first : List.of("a", "b")) {
                var id = first + "\u0001".repeat(Limits.ITEM_ID_BYTES_MAX - 1);
                var item = Obj.builder().put("id", id).put("pk", key).build();
                assertThat(database.createItem(key, JsonWriter.text(item)).answer())
                        .isInstanceOf(Answer.Resource.class);
            }
            assertThat(bareToken(database, ALL)).hasSizeBetween(4_000, Limits.CONTINUATION_CHARACTERS_MAX);
            assertThat(database.query(ALL, Scope.ALL, 1, _ -> {})).hasSize(2);
        }
    }

    private static TestDatabase withItems() {
        var database = TestDatabase.withContainer();
        fill(database);
        return database;
    }

    private static void fill(TestDatabase database) {
        for (int number = 0; number < 10; number++) {
            database.createItem(
                    "p" + number % 3,
                    "{\"id\":\"i" + number + "\",\"pk\":\"p" + number % 3 + "\",\"v\":" + number + "}");
        }
    }

    private static String token(TestDatabase database, QueryText query) {
        return database.page(query, Scope.ALL, new Page(Optional.of(1), Optional.empty()))
                .facts()
                .continuation()
                .orElseThrow();
    }

    private static String bareToken(TestDatabase database, QueryText query) {
        return SpreadToken.unwrapped(token(database, query));
    }

    private static Answer page(TestDatabase database, QueryText query, String token) {
        return database.page(query, Scope.ALL, new Page(Optional.of(1), Optional.of(token)))
                .answer();
    }
}
