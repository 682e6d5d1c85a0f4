package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.orrery.engine.advice.ContainerUse.QueryUse;
import dev.orrery.engine.advice.Finding;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.PartitionKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a database has to say on how it is used; the figures come from its own counting. */
class AdvisorTest extends AdviceScene {
    private static final Address USERS = TestDatabase.DATABASE.child(ResourceKind.CONTAINER, "users");

    // ---- counts and lookups ----

    @Test
    void whatIsCountedAgainAndAgainWantsToBeKept() {
        createBlog();
        for (int i = 0; i < CALLS; i++) {
            for (var type : List.of("comment", "like")) {
                askOne(
                        "p" + i,
                        "SELECT VALUE COUNT(1) FROM p WHERE p.pk = @post AND p.type = @type",
                        Map.of("@post", new Str("p" + i), "@type", new Str(type)));
            }
        }
        assertThat(findings(Kind.REPEATED_COUNT)).hasSize(2).allSatisfy(finding -> {
            assertThat(finding.charge().count()).isEqualTo(CALLS);
            assertThat(finding.charge().before()).isPositive();
            assertThat(finding.charge().after()).isZero();
        });
        assertThat(findings(Kind.REPEATED_COUNT))
                .extracting(Finding::proposal)
                .anyMatch(proposal -> proposal.contains("such as commentCount, of an item with the same /pk"))
                .anyMatch(proposal -> proposal.contains("likeCount"));
    }

    @Test
    void whatIsCountedInAnyRangeCannotBeKept() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT VALUE COUNT(1) FROM o WHERE o.date >= @from",
                    Map.of("@from", new Str("2026-01-%02d".formatted(i % 25))));
        }
        assertThat(findings(Kind.REPEATED_COUNT)).isEmpty();
    }

    @Test
    void whatIsCountedByWhetherItHasSomethingIsNotToldAsACountOfAll() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT VALUE COUNT(1) FROM o WHERE IS_DEFINED(o.status)", Map.of());
        }
        assertThat(findings(Kind.REPEATED_COUNT)).isEmpty();
    }

    @Test
    void whatIsCountedForTheBeginningOfAKeyIsOutOfTheReachOfATransaction() {
        create("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/tenant\",\"/user\"],\"kind\":\"MultiHash\"}}", 3);
        for (int i = 0; i < 200; i++) {
            database.createItem(
                    new PartitionKey(List.of(new Str("t" + i % 10), new Str("u" + i))),
                    "{\"id\":\"%d\",\"tenant\":\"t%d\",\"user\":\"u%d\"}".formatted(i, i % 10, i));
        }
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT VALUE COUNT(1) FROM c WHERE c.tenant = @tenant", Map.of("@tenant", new Str("t" + i % 10)));
        }
        var finding = only(Kind.REPEATED_COUNT);
        assertThat(finding.title()).endsWith("is found out anew for partitions that begin alike");
        assertThat(finding.proposal()).startsWith("Keep it in an item for each /tenant, which a consumer");
        assertThat(finding.charge().after()).isEqualTo(1);
    }

    @Test
    void figuresOfGroupsAreAskedForTogether() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT COUNT(1) AS n, o.buyer.id FROM o GROUP BY o.buyer.id", Map.of());
        }
        var finding = only(Kind.REPEATED_COUNT);
        assertThat(finding.proposal()).contains("in an item for each group, all of them under one partition key");
        assertThat(finding.charge().after()).as("60 small items").isBetween(3.0, 20.0);
    }

    @Test
    void aCountForEachOfManyValuesIsAnItemForEach() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT VALUE COUNT(1) FROM o WHERE o.buyer.id = @buyer", Map.of("@buyer", new Str("b" + i)));
        }
        var finding = only(Kind.REPEATED_COUNT);
        assertThat(finding.proposal()).startsWith("Keep it in an item for each /buyer/id, which a consumer");
        assertThat(finding.charge().after()).isBetween(0.9, 1.1);
        assertThat(finding.charge().upkeep())
                .as("every new order changes a count")
                .isGreaterThan(300);
    }

    private void createUsers() {
        database.create(
                ResourceKind.CONTAINER,
                TestDatabase.DATABASE,
                "{\"id\":\"users\",\"partitionKey\":{\"paths\":[\"/id\"]}}",
                Optional.empty());
        for (int i = 0; i < 20; i++) {
            var body = "{\"id\":\"u" + i + "\",\"name\":\"user " + i + "\"}";
            database.execute(new Operation.WriteItem(
                    USERS,
                    Optional.of(TestDatabase.key("u" + i)),
                    new Operation.ItemWrite.Create(TestDatabase.bytes(body), Precondition.NONE),
                    Operation.Triggers.NONE));
        }
    }

    private void readUser(String id) {
        database.execute(new Operation.ReadItem(USERS, id, Optional.of(TestDatabase.key(id)), Precondition.NONE));
    }

    @Test
    void whatIsLookedUpOneByOneWantsACopy() {
        createBlog();
        createUsers();
        for (int i = 0; i < CALLS; i++) {
            var comments = askOne("p" + i * 7 % 60, "SELECT * FROM p WHERE p.type = 'comment'", Map.of());
            for (var comment : comments) {
                readUser(TestDatabase.text((JsonValue.Obj) comment, "user"));
            }
        }
        database.passSeconds(2); // What was answered a moment ago is still watched.
        var finding = only(Kind.REPEATED_LOOKUP);
        assertThat(finding.title())
                .contains("The property user of items with type 'comment' in 'c' is looked up one by one in 'users'");
        assertThat(finding.proposal()).contains("(of name)", "change feed of 'users'");
        assertThat(finding.charge().count()).isEqualTo(CALLS);
        assertThat(finding.charge().before() - finding.charge().after())
                .as("four reads a call, less those before it was known that there are comments")
                .isBetween(3.2, 4.0);
    }

    @Test
    void whatIsLookedUpByQueriesForIdsWantsACopyToo() {
        createBlog();
        createUsers();
        for (int i = 0; i < CALLS; i++) {
            var comments = askOne("p" + i * 7 % 60, "SELECT * FROM p WHERE p.type = 'comment'", Map.of());
            for (var comment : comments) {
                askForUser(TestDatabase.text((JsonValue.Obj) comment, "user"));
            }
        }
        database.passSeconds(2);
        var finding = only(Kind.REPEATED_LOOKUP);
        assertThat(finding.title()).endsWith("'comment' in 'c' is looked up one by one in 'users'");
        assertThat(finding.seen().getFirst()).contains("reads, or queries by id, of 'users'");
        assertThat(finding.proposal()).contains("(of name)");
        double asked = askForUser("u1").charge();
        assertThat(finding.charge().before() - finding.charge().after())
                .as("four queries a call, less those before it was known that there are comments")
                .isBetween(3.2 * asked, 4.0 * asked);
        assertThat(findings(Kind.QUERY_BY_ID)).hasSize(1);
    }

    @Test
    void whoeverAsksForTheSameIdAgainLooksNothingUp() {
        createBlog();
        createUsers();
        for (int i = 0; i < 4 * CALLS; i++) {
            database.passMillis(200);
            askForUser("u" + i % 3);
        }
        database.passSeconds(2);
        assertThat(findings(Kind.REPEATED_LOOKUP)).isEmpty();
    }

    private Outcome askForUser(String id) {
        var query = TestDatabase.queryText("SELECT * FROM u WHERE u.id = @id", Map.of("@id", new Str(id)));
        return database.execute(new Operation.QueryItems(
                USERS, Scope.ALL, query, Operation.Page.FIRST, Set.of(QueryWish.WHOLE_RESULT)));
    }

    /** 60 items, each of which refers to a user in an object, and to three of them in an array. */
    private void createReferences() {
        create("{" + BY_PK + "}", 3);
        createUsers();
        for (int i = 0; i < 60; i++) {
            database.createItem(
                    "p" + i % 20,
                    ("{\"id\":\"%d\",\"pk\":\"p%d\",\"author\":{\"id\":\"u%d\"},"
                                    + "\"likedBy\":[\"u%d\",\"u%d\",\"u%d\"]}")
                            .formatted(i, i % 20, (i + i / 20) % 20, (i + 5) % 20, (i + 9) % 20, (i + 14) % 20));
        }
    }

    @Test
    void whatAnObjectInsideRefersToIsSeenToBeLookedUp() {
        createReferences();
        for (int i = 0; i < CALLS; i++) {
            for (var item : askOne("p" + i * 7 % 20, "SELECT * FROM c", Map.of())) {
                readUser(TestDatabase.text((JsonValue.Obj) ((JsonValue.Obj) item).member("author"), "id"));
            }
        }
        database.passSeconds(2);
        var finding = only(Kind.REPEATED_LOOKUP);
        assertThat(finding.title()).contains("The property author.id in 'c' is looked up one by one in 'users'");
        assertThat(finding.charge().before() - finding.charge().after())
                .as("three reads a call")
                .isBetween(2.4, 3.0);
    }

    @Test
    void whatAnArrayRefersToIsSeenToBeLookedUp() {
        createReferences();
        for (int i = 0; i < CALLS; i++) {
            for (var item : askOne("p" + i * 7 % 20, "SELECT * FROM c", Map.of())) {
                for (var user : ((Arr) ((JsonValue.Obj) item).member("likedBy")).items()) {
                    readUser(((Str) user).value());
                }
            }
        }
        database.passSeconds(2);
        var finding = only(Kind.REPEATED_LOOKUP);
        assertThat(finding.title()).contains("The property likedBy[] in 'c' is looked up one by one in 'users'");
        assertThat(finding.charge().before() - finding.charge().after())
                .as("nine reads a call")
                .isBetween(7.2, 9.0);
    }

    @Test
    void anIdAtTwoPlacesIsLookedUpForTheOneThatMoreRowsHave() {
        create("{" + BY_PK + "}", 3);
        createUsers();
        for (int i = 0; i < 80; i++) {
            database.createItem(
                    "p" + i % 20,
                    "{\"id\":\"%d\",\"pk\":\"p%d\",\"sender\":{\"id\":\"u%d\"},\"mentions\":[%s]}"
                            .formatted(i, i % 20, (i + i / 20) % 20, i < 20 ? "\"u" + (i + 1) % 20 + "\"" : ""));
        }
        for (int i = 0; i < CALLS; i++) {
            for (var item : askOne("p" + i * 7 % 20, "SELECT * FROM c", Map.of())) {
                readUser(TestDatabase.text((JsonValue.Obj) ((JsonValue.Obj) item).member("sender"), "id"));
            }
        }
        database.passSeconds(2);
        assertThat(only(Kind.REPEATED_LOOKUP).title()).contains("The property sender.id in 'c'");
    }

    @Test
    void whatIsReadByChanceIsNoLookup() {
        createBlog();
        createUsers();
        for (int i = 0; i < CALLS; i++) {
            askOne("p" + i, "SELECT * FROM p WHERE p.type = 'comment'", Map.of());
            for (int j = 0; j < 20; j++) {
                database.passMillis(100);
                readUser("u" + j);
            }
        }
        assertThat(findings(Kind.REPEATED_LOOKUP)).isEmpty();
    }

    // ---- arrays and partitions ----

    private static String post(int comments) {
        return IntStream.range(0, comments)
                .mapToObj(i -> "\"comment number " + i + "\"")
                .collect(Collectors.joining(",", "{\"id\":\"1\",\"pk\":\"p\",\"comments\":[", "]}"));
    }

    @Test
    void anArrayThatOnlyGrowsIsNamed() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 200; i++) {
            database.passMillis(5);
            database.upsertItem("p", post(i));
        }
        var finding = only(Kind.GROWING_ARRAY);
        assertThat(finding.title()).contains("The array /comments of items in 'c'");
        assertThat(finding.seen()).anyMatch(fact -> fact.contains("2,097,152"));
        assertThat(finding.charge().after()).isLessThan(finding.charge().before());
    }

    @Test
    void twentyAdditionsAreEnough() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 20; i++) {
            database.upsertItem("p", post(500 + i));
        }
        var finding = only(Kind.GROWING_ARRAY);
        assertThat(finding.charge().count()).isEqualTo(19);
        double created = database.createItem("p", "{\"id\":\"2\",\"pk\":\"p\",\"comment\":\"comment number 500\"}")
                .charge();
        assertThat(finding.charge().after())
                .as("an item instead of an element")
                .isBetween(created * 0.8, created * 1.2);
    }

    @Test
    void anArrayThatIsEmptiedAgainAndAgainIsNot() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 100; i++) {
            database.upsertItem("p", post(i % 25));
        }
        assertThat(findings(Kind.GROWING_ARRAY)).isEmpty();
    }

    @Test
    void anArrayThatIsKeptAtOneLengthIsNot() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 200; i++) {
            int end = i;
            database.passMillis(5);
            database.upsertItem(
                    "p",
                    IntStream.range(Math.max(0, end - 50), end)
                            .mapToObj(j -> "\"comment number " + j + "\"")
                            .collect(Collectors.joining(",", "{\"id\":\"1\",\"pk\":\"p\",\"comments\":[", "]}")));
        }
        assertThat(findings(Kind.GROWING_ARRAY)).isEmpty();
    }

    @Test
    void anArrayThatShrinksAsWellIsNot() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 400; i++) {
            database.passMillis(5);
            database.upsertItem("p", post(20 + i * 7 % 13));
        }
        assertThat(findings(Kind.GROWING_ARRAY)).isEmpty();
    }

    @Test
    void aPartitionThatDoesMostOfTheWorkIsNamed() {
        create("{" + BY_PK + "}", 3);
        for (int i = 0; i < 200; i++) {
            var key = i % 10 == 0 ? "p" + i : "hot";
            database.upsertItem(key, "{\"id\":\"%d\",\"pk\":\"%s\"}".formatted(i, key));
        }
        var finding = only(Kind.HOT_PARTITION);
        assertThat(finding.title()).contains("One of 3 physical partitions of 'c'");
        assertThat(finding.seen()).anyMatch(fact -> fact.contains("[\"hot\"]"));
        assertThat(finding.charge().before()).isGreaterThan(2_000);
        assertThat(finding.charge().after()).isEqualTo(1_000);
    }

    @Test
    void evenUseIsNoProblem() {
        createBlog();
        assertThat(findings(Kind.HOT_PARTITION)).isEmpty();
    }

    // ---- all ----

    @Test
    void ofTooLittleNothingIsSaid() {
        createBlog();
        for (int i = 0; i < 5; i++) {
            askAll("SELECT * FROM p WHERE p.user = @user", Map.of("@user", new Str("u" + i)));
        }
        assertThat(database.advice().findings()).isEmpty();
        assertThat(database.advice().requests()).isEqualTo(60 * 5 + 5);
    }

    @Test
    void everyShapeOfQueryIsToldWithWhatACallTook() {
        createBlog();
        for (int i = 0; i < 8; i++) {
            askAll("SELECT * FROM p WHERE p.type = 'post' AND p.user = @user", Map.of("@user", new Str("u" + i)));
        }
        askOne("p1", "SELECT * FROM p WHERE p.date > 3", Map.of());
        askOne("p2", "SELECT * FROM p WHERE p.date > 17", Map.of());
        var uses = database.advice().containers();
        assertThat(uses).hasSize(1);
        assertThat(uses.getFirst().requests()).isEqualTo(60 * 5 + 8 + 2);
        assertThat(uses.getFirst().queries())
                .extracting(QueryUse::text, QueryUse::keyed, QueryUse::calls, QueryUse::partitions, QueryUse::rows)
                .containsExactly(
                        tuple("SELECT * FROM p WHERE p.type = ? AND p.user = @user", false, 8L, 3.0, 3.0),
                        tuple("SELECT * FROM p WHERE p.date > ?", true, 2L, 1.0, 1.0));
    }

    @Test
    void aQueryThatNamesItsPartitionKeyInItsTextIsOneCallHoweverItIsSent() {
        createBlog();
        for (int i = 0; i < 8; i++) {
            database.query(
                    TestDatabase.queryText("SELECT * FROM p WHERE p.pk = @post", Map.of("@post", new Str("p" + i))),
                    Scope.ALL,
                    100,
                    _ -> {});
        }
        assertThat(database.advice().containers().getFirst().queries())
                .extracting(QueryUse::keyed, QueryUse::calls, QueryUse::partitions, QueryUse::rows)
                .containsExactly(tuple(true, 8L, 1.0, 5.0));
    }

    @Test
    void whatSavesMostComesFirst() {
        createBlog();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT * FROM p WHERE p.user = @user", Map.of("@user", new Str("u" + i % 20)));
            askOne("p" + i, "SELECT VALUE COUNT(1) FROM p", Map.of());
            askAll("SELECT TOP 10 * FROM p ORDER BY p.date", Map.of());
        }
        assertThat(database.advice().findings())
                .hasSizeGreaterThanOrEqualTo(3)
                .isSortedAccordingTo((one, other) ->
                        Double.compare(other.charge().saved(), one.charge().saved()));
    }

    @Test
    void containersThatAreGoneAreForgotten() {
        createBlog();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT * FROM p WHERE p.user = @user", Map.of("@user", new Str("u" + i % 20)));
        }
        database.execute(new Operation.DeleteResource(TestDatabase.CONTAINER, Precondition.NONE));
        assertThat(database.advice().findings()).isEmpty();
        assertThat(database.advice().requests()).isZero();
    }
}
