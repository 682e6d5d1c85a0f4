package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.orrery.engine.advice.Finding;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Str;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which queries ask every physical partition, and what would help: what really does, or nothing is said. */
class FanOutAdviceTest extends AdviceScene {
    @Override
    void createBlog() {
        super.createBlog();
        askByKey("p0");
    }

    @Override
    void createShop() {
        super.createShop();
        askByKey("o0");
    }

    /** So that the partition key is of some use. */
    private void askByKey(String key) {
        askOne(key, "SELECT * FROM c", Map.of());
    }

    @Test
    void aQueryByAnotherPropertyWantsACopyUnderThatKey() {
        createBlog();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT * FROM p WHERE p.type = 'post' AND p.user = @user", Map.of("@user", new Str("u" + i % 20)));
        }
        var finding = only(Kind.FAN_OUT);
        assertThat(finding.title()).contains("'c' by /user");
        assertThat(finding.seen())
                .contains("SELECT * FROM p WHERE p.type = ? AND p.user = @user")
                .anyMatch(fact -> fact.startsWith("40 calls, each to 3.0 physical partitions")
                        && fact.endsWith("for 3.0 rows a call"));
        assertThat(finding.proposal()).contains("partition key /user", "\"SELECT * FROM c WHERE c.type = 'post'\"");
        assertThat(finding.charge().count()).isEqualTo(CALLS);
        assertThat(finding.charge().after())
                .isPositive()
                .isLessThan(finding.charge().before() / 2);
    }

    @Test
    void theChargeBeforeIsThatOfAllRequestsOfACallAndTheOneAfterThatOfOnePartition() {
        createBlog();
        double before = 0;
        for (int i = 0; i < CALLS; i++) {
            for (var range : database.ranges()) {
                var id = TestDatabase.text((JsonValue.Obj) range, "id");
                before += database.page(
                                TestDatabase.queryText(
                                        "SELECT * FROM p WHERE p.user = @user", Map.of("@user", new Str("u" + i % 20))),
                                new Scope(Optional.of(id), Optional.empty(), Optional.empty()),
                                Operation.Page.FIRST)
                        .charge();
            }
        }
        var charge = only(Kind.FAN_OUT).charge();
        assertThat(charge.before()).isCloseTo(before / CALLS, within(0.01));
        assertThat(charge.upkeep()).as("all 300 items were written").isBetween(1_000.0, 3_000.0);
        assertThat(charge.saved())
                .isCloseTo((charge.before() - charge.after()) * CALLS - charge.upkeep(), within(0.01));
    }

    @Test
    void aCopyIsAskedToPayForItsWrites() {
        createBlog();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT * FROM p WHERE p.type = 'post' AND p.user = @user", Map.of("@user", new Str("u" + i % 20)));
        }
        var finding = only(Kind.FAN_OUT);
        var upkeep = finding.charge().upkeep();
        assertThat(upkeep).as("only the posts are copied, a fifth of the items").isBetween(200.0, 500.0);
        assertThat(finding.proposal()).contains("of these calls for each write; so far there were 0.");
    }

    @Test
    void fanOutIsSeenOverAnyNumberOfPartitions() {
        create("{" + BY_PK + "}", 20);
        for (int i = 0; i < 60; i++) {
            database.createItem("p" + i, "{\"id\":\"%d\",\"pk\":\"p%d\",\"user\":\"u%d\"}".formatted(i, i, i));
        }
        for (int i = 0; i < 60; i++) {
            askAll("SELECT * FROM p WHERE p.user = @user", Map.of("@user", new Str("u" + i)));
        }
        assertThat(only(Kind.FAN_OUT).seen()).anyMatch(fact -> fact.contains("each to 20.0 physical partitions"));
    }

    @Test
    void aViewThatIsThereAlreadyIsNamed() {
        createBlog();
        database.create(
                ResourceKind.CONTAINER,
                TestDatabase.DATABASE,
                "{\"id\":\"byUser\",\"partitionKey\":{\"paths\":[\"/user\"]},\"materializedViewDefinition\":"
                        + "{\"sourceCollectionId\":\"c\",\"definition\":\"SELECT * FROM c\"}}",
                Optional.of(new Throughput.Manual(400)));
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT * FROM p WHERE p.user = @user", Map.of("@user", new Str("u" + i % 20)));
        }
        assertThat(only(Kind.FAN_OUT).proposal()).isEqualTo("Ask 'byUser', the view that has the partition key /user.");
    }

    @Test
    void aQueryForOneItemByItsIdWantsToBeARead() {
        createBlog();
        for (int i = 0; i < CALLS; i++) {
            askOne("p" + i, "SELECT * FROM p WHERE p.id = @id", Map.of("@id", new Str("p" + i)));
            askAll("SELECT p.user FROM p WHERE p.id = @id", Map.of("@id", new Str("p" + i)));
        }
        assertThat(findings(Kind.FAN_OUT)).isEmpty();
        assertThat(findings(Kind.QUERY_BY_ID))
                .extracting(Finding::proposal)
                .containsExactlyInAnyOrder(
                        "Read the item instead, by its id and its /pk.",
                        "Read the item instead, by its id and its /pk, which has to be kept wherever its id is.");
        assertThat(findings(Kind.QUERY_BY_ID))
                .allSatisfy(finding -> assertThat(finding.charge().after()).isBetween(0.9, 1.1));
    }

    @Test
    void theFirstOfAllItemsWantAContainerOfTheirOwn() {
        createBlog();
        for (int i = 0; i < CALLS; i++) {
            assertThat(askAll("SELECT TOP 10 * FROM p WHERE p.type = 'post' ORDER BY p.date DESC", Map.of()))
                    .hasSize(10);
        }
        var finding = only(Kind.GATHERED_LIST);
        assertThat(finding.title()).contains("The first 10 items of 'c' by /date");
        assertThat(finding.seen()).contains("SELECT TOP 10 * FROM p WHERE p.type = ? ORDER BY p.date DESC");
        assertThat(finding.proposal()).contains("small container", "/type", "change feed");
        assertThat(finding.charge().after()).isLessThan(finding.charge().before() / 2);
        assertThat(findings(Kind.FAN_OUT)).isEmpty();
    }

    private void askForBuyers(int each) {
        for (int i = 0; i < CALLS; i++) {
            var buyers = new ArrayList<JsonValue>();
            for (int j = 0; j < each; j++) {
                buyers.add(new Str("b" + (i * 7 + j * 11) % 60));
            }
            askAll("SELECT * FROM o WHERE ARRAY_CONTAINS(@buyers, o.buyer.id)", Map.of("@buyers", new Arr(buyers)));
        }
    }

    @Test
    void aPropertyInsideOfAnotherCanBeAKeyAsWell() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT * FROM o WHERE o.buyer.id = @buyer", Map.of("@buyer", new Str("b" + i)));
        }
        assertThat(only(Kind.FAN_OUT).proposal()).contains("partition key /buyer/id, so that one partition answers");
    }

    @Test
    void aListOfValuesIsAskedOfAsManyPartitionsAsTheyLieIn() {
        createShop();
        askForBuyers(2);
        var finding = only(Kind.FAN_OUT);
        assertThat(finding.title()).contains("by lists of /buyer/id");
        assertThat(finding.proposal()).contains("a call for 2.0 values asks 1.7 of 3 partitions");
        assertThat(finding.charge().before() - finding.charge().after())
                .as("a look into 1.3 partitions")
                .isBetween(3.0, 4.5);
    }

    @Test
    void whatIsSortedUnderAnotherKeyNeedsAnIndexOfBothThere() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT TOP 5 * FROM o WHERE o.buyer.id = @buyer ORDER BY o.date DESC",
                    Map.of("@buyer", new Str("b" + i)));
        }
        assertThat(only(Kind.FAN_OUT).proposal()).contains("it needs the composite index (/buyer/id ASC, /date ASC).");
    }

    @Test
    void whoeverSortsAllThatHasTheKeyNeedsNoIndexForIt() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT * FROM o WHERE o.buyer.id = @buyer ORDER BY o.date DESC",
                    Map.of("@buyer", new Str("b" + i)));
        }
        assertThat(only(Kind.FAN_OUT).proposal()).doesNotContain("composite");
    }

    @Test
    void aKeyThatNobodyAsksByMayBeAnother() {
        create("{" + BY_PK + "}", 3);
        for (int i = 0; i < 300; i++) {
            database.createItem("o" + i, order(i));
        }
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT * FROM o WHERE o.buyer.id = @buyer", Map.of("@buyer", new Str("b" + i)));
        }
        var finding = only(Kind.FAN_OUT);
        assertThat(finding.proposal())
                .startsWith(
                        "Make /buyer/id the partition key, so that one partition answers: nothing was asked by /pk");
        assertThat(finding.charge().upkeep()).isZero();
        database.readItem("o1", "o1");
        assertThat(only(Kind.FAN_OUT).proposal()).startsWith("Keep a copy of these items");
    }

    @Test
    void longListsAreAskedOfEveryPartitionUnderAnyKey() {
        createShop();
        askForBuyers(20);
        assertThat(findings(Kind.FAN_OUT)).isEmpty();
    }

    @Test
    void alternativesOfOnePropertyAreAList() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT * FROM o WHERE o.buyer.id = @one OR o.buyer.id = @other",
                    Map.of("@one", new Str("b" + i), "@other", new Str("b" + (i + 20))));
        }
        assertThat(only(Kind.FAN_OUT).proposal()).contains("1.7 of 3 partitions");
    }

    @Test
    void aRangeWantsAKeyThatNeighboursShare() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT * FROM o WHERE o.date >= @from AND o.date < @to",
                    Map.of(
                            "@from", new Str("2026-01-%02d".formatted(1 + i % 25)),
                            "@to", new Str("2026-01-%02d".formatted(2 + i % 25))));
        }
        var finding = only(Kind.FAN_OUT);
        assertThat(finding.title()).contains("by a range of /date");
        assertThat(finding.proposal()).contains("No partition key stops this by itself", "such as the day of /date");
        assertThat(finding.charge().after())
                .as("two keys lie in 1.7 of 3 partitions, with twice as many items as are wanted")
                .isBetween(1.67 * 2.79, 1.67 * 2.79 + 6 * 0.35);
    }

    @Test
    void aRangeOfMostItemsHasToAskEveryPartition() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT o.id FROM o WHERE o.date >= @from",
                    Map.of("@from", new Str("2026-01-%02d".formatted(i % 9))));
        }
        assertThat(findings(Kind.FAN_OUT)).isEmpty();
    }

    @Test
    void beginningsOfTextsWantTheirFirstLettersAsKey() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT * FROM o WHERE STARTSWITH(o.buyer.id, @start)", Map.of("@start", new Str("b" + (10 + i))));
        }
        var finding = only(Kind.FAN_OUT);
        assertThat(finding.title()).contains("by the beginning of /buyer/id");
        assertThat(finding.proposal()).contains("under the first 3 letters of /buyer/id");
    }

    @Test
    void anElementOfAnArrayWantsACopyForEach() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT o.id FROM o JOIN l IN o.lines WHERE l.product = @product",
                    Map.of("@product", new Str("p" + i)));
            askAll(
                    "SELECT o.id FROM o WHERE ARRAY_CONTAINS(o.lines, {\"product\": @product}, true)",
                    Map.of("@product", new Str("p" + i)));
        }
        var finding = only(Kind.FAN_OUT);
        assertThat(finding.title()).contains("by an element of /lines");
        assertThat(finding.seen()).as("one remedy for both").hasSize(4);
        assertThat(finding.proposal()).contains("for each element of /lines", "partition key /product");
        assertThat(finding.charge().upkeep())
                .as("an order has two lines")
                .isCloseTo(2 * database.advice().containers().getFirst().charge(), within(2_000.0));
    }

    @Test
    void aFewItemsAmongManyWantAPlaceOfTheirOwn() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT * FROM o WHERE o.status = 'open'", Map.of());
        }
        var finding = only(Kind.FAN_OUT);
        assertThat(finding.title()).contains("for few items by /status");
        assertThat(finding.proposal())
                .contains("\"SELECT * FROM c WHERE c.status = 'open'\"", "as long as they are few");
        assertThat(finding.charge().upkeep()).as("ten of 300 orders are open").isBetween(30.0, 300.0);
    }

    @Test
    void theFirstOfAllItemsNeedNoFilter() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll("SELECT TOP 10 * FROM o ORDER BY o.date DESC", Map.of());
        }
        assertThat(only(Kind.GATHERED_LIST).proposal()).contains("all under one partition key: a consumer");
    }

    @Test
    void theFirstOfEachOfAFewKindsAreListsOfTheirOwn() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT TOP 10 * FROM o WHERE o.status = @status ORDER BY o.date DESC",
                    Map.of("@status", new Str(i % 2 == 0 ? "open" : "done")));
        }
        assertThat(only(Kind.GATHERED_LIST).proposal())
                .contains("10 items of each /status", "under the partition key /status");
    }

    @Test
    void whatComesFirstAmongOthersEachTimeIsNoListThatCouldBeKept() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT TOP 10 * FROM o WHERE CONTAINS(o.buyer.id, @part) ORDER BY o.date DESC",
                    Map.of("@part", new Str(String.valueOf(i))));
            askAll(
                    "SELECT TOP 10 * FROM o WHERE o.date < @before ORDER BY o.date DESC",
                    Map.of("@before", new Str("2026-02-%02d".formatted(1 + i % 25))));
            askAll(
                    "SELECT TOP 10 * FROM o WHERE o.date > @after ORDER BY o.date DESC",
                    Map.of("@after", new Str("2026-01-%02d".formatted(1 + i % 25))));
        }
        assertThat(only(Kind.GATHERED_LIST).seen())
                .as("the newest are the same whatever they have to be newer than")
                .contains("SELECT TOP 10 * FROM o WHERE o.date > @after ORDER BY o.date DESC");
    }

    @Test
    void itemsByAListOfIdsWantToBeRead() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            askAll(
                    "SELECT * FROM o WHERE o.id IN (@one, @other)",
                    Map.of("@one", new Str("o" + i), "@other", new Str("o" + (i + 100))));
        }
        assertThat(findings(Kind.FAN_OUT)).isEmpty();
        var finding = only(Kind.QUERY_BY_ID);
        assertThat(finding.proposal()).startsWith("Read each item instead, by its id and its /pk");
        assertThat(finding.charge().after()).isBetween(1.9, 2.1);
    }

    @Test
    void whatNamesItsPartitionKeyIsLeftAlone() {
        createBlog();
        for (int i = 0; i < CALLS; i++) {
            askOne("p" + i, "SELECT * FROM p WHERE p.type = 'comment'", Map.of());
            askAll("SELECT * FROM p WHERE p.pk = @post", Map.of("@post", new Str("p" + i)));
        }
        assertThat(findings(Kind.FAN_OUT)).isEmpty();
        assertThat(findings(Kind.GATHERED_LIST)).isEmpty();
    }
}
