package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.orrery.engine.advice.ContainerUse.QueryUse;
import dev.orrery.engine.advice.Finding;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Str;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    // ---- indexes ----

    @Test
    void aFilterWithoutIndexWantsOne() {
        create(
                "{" + BY_PK + ",\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/*\"}],"
                        + "\"excludedPaths\":[{\"path\":\"/price/?\"}]}}",
                1);
        for (int i = 0; i < 200; i++) {
            database.createItem("p", priced(i));
        }
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT * FROM c WHERE c.price = @price", Map.of("@price", new Num(i)));
        }
        var finding = only(Kind.MISSING_INDEX);
        assertThat(finding.proposal()).contains("Add /price/? to the included paths");
        assertThat(finding.seen()).anyMatch(fact -> fact.contains("200.0 items loaded") && fact.contains("1.0 rows"));
        assertThat(finding.charge().after()).isLessThan(finding.charge().before() * 0.8);
        double indexed = chargeWithIndex();
        assertThat(finding.charge().after()).isBetween(indexed * 0.95, indexed * 1.05);
    }

    private static double chargeWithIndex() {
        try (var other = TestDatabase.withContainer()) {
            for (int i = 0; i < 200; i++) {
                other.createItem("p", priced(i));
            }
            return other.page(
                            TestDatabase.queryText(
                                    "SELECT * FROM c WHERE c.price = @price", Map.of("@price", new Num(7))),
                            new Scope(Optional.empty(), Optional.of(TestDatabase.key("p")), Optional.empty()),
                            Operation.Page.FIRST)
                    .charge();
        }
    }

    private static String priced(int price) {
        return "{\"id\":\"%d\",\"pk\":\"p\",\"price\":%d}".formatted(price, price);
    }

    @Test
    void anIndexThatNoQueryUsesWantsToGo() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 100; i++) {
            database.passMillis(5);
            database.createItem(
                    "p",
                    "{\"id\":\"%d\",\"pk\":\"p\",\"a\":%d,\"b\":{\"c\":\"some words, number %d\"},\"d\":\"x\"}"
                            .formatted(i, i, i));
        }
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT * FROM c WHERE c.a = @a ORDER BY c.d", Map.of("@a", new Num(i)));
        }
        var finding = only(Kind.UNUSED_INDEX);
        assertThat(finding.seen())
                .anyMatch(fact -> fact.startsWith("never used: ") && fact.contains("/b/c/?"))
                .noneMatch(fact -> fact.startsWith("never used: ") && (fact.contains("/a/?") || fact.contains("/d/?")));
        assertThat(finding.charge().unit()).isEqualTo("write");
        assertThat(finding.charge().after())
                .isPositive()
                .isLessThan(finding.charge().before());
    }

    @Test
    void whatAQueryMentionsIsUsedWhetherAnIndexHelpsOrNot() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 100; i++) {
            database.passMillis(5);
            database.createItem(
                    "p",
                    ("{\"id\":\"%d\",\"pk\":\"p\",\"text\":\"some words, number %d\","
                                    + "\"other\":[\"more of them, %d\",\"and more, %d\"]}")
                            .formatted(i, i, i, i));
        }
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT c.other FROM c WHERE CONTAINS(c.text, @a)", Map.of("@a", new Str("number " + i)));
        }
        assertThat(only(Kind.UNUSED_INDEX).seen())
                .anyMatch(fact -> fact.startsWith("never used: ") && fact.contains("/other/[]/?"))
                .noneMatch(fact ->
                        fact.startsWith("never used: ") && (fact.contains("/text/?") || fact.contains("/pk/?")));
    }

    @Test
    void ofManyUnusedPathsItIsToldWhatToKeep() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 100; i++) {
            int number = i;
            var others = IntStream.range(0, 20)
                    .mapToObj(j -> "\"other%d\":\"value %d\"".formatted(j, number))
                    .collect(Collectors.joining(","));
            database.passMillis(5);
            database.createItem("p", "{\"id\":\"%d\",\"pk\":\"p\",\"text\":\"%d\",%s}".formatted(i, i, others));
        }
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT * FROM c WHERE CONTAINS(c.text, @a)", Map.of("@a", new Str("7")));
        }
        assertThat(only(Kind.UNUSED_INDEX).proposal())
                .startsWith("Exclude /* in the indexing policy, and include /id/?, /pk/?, /text/? only");
    }

    @Test
    void pathsThatThePolicyNamesAreToBeTakenOutOfIt() {
        create(
                "{" + BY_PK + ",\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/a/?\"},{\"path\":\"/b/?\"},"
                        + "{\"path\":\"/d/?\"}],"
                        + "\"excludedPaths\":[{\"path\":\"/*\"}]}}",
                1);
        for (int i = 0; i < 100; i++) {
            database.passMillis(5);
            database.createItem(
                    "p",
                    "{\"id\":\"%d\",\"pk\":\"p\",\"a\":%d,\"b\":\"some words, number %d\",\"d\":\"others, %d\"}"
                            .formatted(i, i, i, i));
        }
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT * FROM c WHERE c.a = @a", Map.of("@a", new Num(i)));
        }
        assertThat(only(Kind.UNUSED_INDEX).proposal())
                .startsWith("Take /b/?, /d/? out of the included paths of the indexing policy");
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
