package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Str;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which indexes are missing, and which are in vain. */
class IndexAdviceTest extends AdviceScene {
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
        assertThat(finding.proposal()).startsWith("Take /price/? out of the excluded paths of the indexing policy.");
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
    void twoQueriesThatWantTheSameIndexAreOneFinding() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 600; i++) {
            database.createItem(
                    "p", "{\"id\":\"%d\",\"pk\":\"p\",\"a\":%d,\"b\":%d}".formatted(i, i % 3, i * 37 % 601));
        }
        for (int i = 0; i < CALLS; i++) {
            for (var select : List.of("*", "c.id")) {
                askOne(
                        "p",
                        "SELECT TOP 5 " + select + " FROM c WHERE c.a = @a ORDER BY c.b DESC",
                        Map.of("@a", new Num(i % 3)));
            }
        }
        var finding = only(Kind.MISSING_INDEX);
        assertThat(finding.seen()).hasSize(4).anyMatch(fact -> fact.contains("TOP 5 *"));
        assertThat(finding.proposal())
                .contains("Add the composite index (/a ASC, /b ASC)", "of these calls for each write; so far there");
        assertThat(finding.charge().count()).isEqualTo(2 * CALLS);
        assertThat(finding.charge().writing().writes()).isEqualTo(600);
    }

    @Test
    void noIndexGivesTheOrderOfSeveralValues() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 600; i++) {
            database.createItem(
                    "p", "{\"id\":\"%d\",\"pk\":\"p\",\"a\":%d,\"b\":%d}".formatted(i, i % 3, i * 37 % 601));
        }
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT TOP 5 * FROM c WHERE c.a IN (1, @a) ORDER BY c.b DESC", Map.of("@a", new Num(2)));
        }
        assertThat(findings(Kind.MISSING_INDEX)).isEmpty();
    }

    @Test
    void anOrderThatIsNoLongerRefusedWantsNothing() {
        createShop();
        var query = "SELECT TOP 10 * FROM o ORDER BY o.status, o.date DESC";
        for (int i = 0; i < CALLS; i++) {
            assertThatThrownBy(() -> askAll(query, Map.of())).isInstanceOf(FailureException.class);
        }
        assertThat(findings(Kind.MISSING_INDEX)).hasSize(1);
        database.replaceContainer("{" + BY_PK + ",\"indexingPolicy\":{\"compositeIndexes\":[["
                + "{\"path\":\"/status\",\"order\":\"ascending\"},{\"path\":\"/date\",\"order\":\"descending\"}]]}}");
        askAll(query, Map.of());
        assertThat(findings(Kind.MISSING_INDEX)).isEmpty();
    }

    @Test
    void anOrderThatIsRefusedWantsItsIndex() {
        createShop();
        for (int i = 0; i < CALLS; i++) {
            assertThatThrownBy(() -> askAll("SELECT TOP 10 * FROM o ORDER BY o.status, o.date DESC", Map.of()))
                    .isInstanceOf(FailureException.class);
            assertThatThrownBy(() -> askAll("SELECT * FROM o ORDER BY o.status, o.status DESC", Map.of()))
                    .isInstanceOf(FailureException.class);
        }
        var finding = only(Kind.MISSING_INDEX);
        assertThat(finding.title()).isEqualTo("Queries of 'c' are refused for want of an index");
        assertThat(finding.seen()).contains("40 calls were refused; they want up to 10 rows");
        assertThat(finding.proposal())
                .isEqualTo("Add the composite index (/status ASC, /date DESC) to the indexing policy.");
        assertThat(finding.charge().after()).isBetween(5.0, 20.0);
        for (int i = 0; i < CALLS; i++) {
            database.readItem("o" + i, "o" + i);
        }
        assertThat(findings(Kind.UNUSED_INDEX))
                .as("what is asked in vain wants its indexes, and the others cost less than a twentieth")
                .isEmpty();
    }

    @Test
    void aFilterThatNoIndexServesWantsAPropertyOfItsOwn() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 200; i++) {
            database.createItem("p", "{\"id\":\"%d\",\"pk\":\"p\",\"name\":\"Name %d\"}".formatted(i, i));
        }
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT * FROM c WHERE LOWER(c.name) = @name", Map.of("@name", new Str("name " + i)));
        }
        var finding = only(Kind.UNINDEXED_FILTER);
        assertThat(finding.seen()).anyMatch(fact -> fact.contains("200.0 items loaded for 1.0 rows"));
        double before = finding.charge().before();
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT * FROM c WHERE c.name = @name", Map.of("@name", new Str("Name " + i)));
        }
        var equality = database.advice().containers().getFirst().queries().getLast();
        assertThat(finding.charge().after())
                .as("what the filter costs that an index serves")
                .isLessThan(before / 2)
                .isBetween(equality.charge() * 0.9, equality.charge() * 1.1);
        assertThat(findings(Kind.UNINDEXED_FILTER)).hasSize(1);
    }

    @Test
    void whereNothingIsAskedButReadsTheIndexIsInVain() {
        create("{" + BY_PK + "}", 1);
        for (int i = 0; i < 100; i++) {
            database.passMillis(5);
            database.createItem(
                    "p", "{\"id\":\"%d\",\"pk\":\"p\",\"a\":\"value %d\",\"b\":{\"c\":%d}}".formatted(i, i, i));
        }
        assertThat(findings(Kind.UNUSED_INDEX))
                .as("who has only written may ask later")
                .isEmpty();
        for (int i = 0; i < CALLS; i++) {
            database.readItem("p", Integer.toString(i));
        }
        var finding = only(Kind.UNUSED_INDEX);
        assertThat(finding.seen()).contains("100 writes; 40 reads by id, and no query");
        assertThat(finding.proposal()).contains("/a/?", "/b/c/?");
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

    private static final String COMPOSITES = """
        "compositeIndexes": [
            [{"path": "/a"}, {"path": "/b", "order": "descending"}],
            [{"path": "/a"}, {"path": "/c"}],
            [{"path": "/b"}, {"path": "/c"}]]
        """;

    private static final String SPECIAL_INDEXES = """
        "spatialIndexes": [{"path": "/place/*", "types": ["Point"]}, {"path": "/home/*", "types": ["Point"]}],
        "fullTextIndexes": [{"path": "/text"}],
        "vectorIndexes": [{"path": "/vector", "type": "flat"}]
        """;

    private static final String SPECIAL_POLICIES = """
        "fullTextPolicy": {
            "defaultLanguage": "en-US", "fullTextPaths": [{"path": "/text", "language": "en-US"}]},
        "vectorEmbeddingPolicy": {"vectorEmbeddings": [
            {"path": "/vector", "dataType": "float32", "dimensions": 3, "distanceFunction": "cosine"}]}
        """;

    private static String itemOfAllKinds(int i) {
        return ("{\"id\":\"%d\",\"pk\":\"p\",\"a\":%d,\"b\":%d,\"c\":%d,\"text\":\"some words, number %d\","
                        + "\"vector\":[1,2,%d],\"place\":{\"type\":\"Point\",\"coordinates\":[1,%d]},"
                        + "\"home\":{\"type\":\"Point\",\"coordinates\":[2,%d]}}")
                .formatted(i, i, i % 7, i % 5, i, i, i % 50, i % 50);
    }

    private void createWithIndexesOfAllKinds() {
        create(
                "{" + BY_PK + ",\"indexingPolicy\":{" + COMPOSITES + "," + SPECIAL_INDEXES + "}," + SPECIAL_POLICIES
                        + "}",
                1);
        for (int i = 0; i < 200; i++) {
            database.passMillis(5);
            database.createItem("p", itemOfAllKinds(i));
        }
    }

    @Test
    void indexesThatThePolicyNamesOneByOneWantToGoWhenNoQueryUsesThem() {
        createWithIndexesOfAllKinds();
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT * FROM c ORDER BY c.a, c.b DESC", Map.of());
            askOne("p", "SELECT * FROM c WHERE c.b = 1 AND c.c = 2", Map.of());
            askOne(
                    "p",
                    "SELECT * FROM c WHERE ST_DISTANCE(c.place, {'type':'Point','coordinates':[1,2]}) < 10",
                    Map.of());
        }
        var finding = only(Kind.UNUSED_INDEX);
        assertThat(finding.proposal())
                .contains("Take the composite index (/a ASC, /c ASC) and the full-text index (/text)"
                        + " and the spatial index (/home/*) and the vector index (/vector) out of the indexing policy")
                .as("another one is in use, or would be by the service")
                .doesNotContain("(/a ASC, /b DESC)", "(/b ASC, /c ASC)", "(/place/*)");
    }

    @Test
    void whatUnusedIndexesCostIsWhatWritesCostLessWithoutThem() {
        createWithIndexesOfAllKinds();
        for (int i = 0; i < CALLS; i++) {
            askOne("p", "SELECT * FROM c WHERE c.a = 1 AND c.b = 2 AND c.c > 3", Map.of());
        }
        var charge = only(Kind.UNUSED_INDEX).charge();
        double without = 0;
        var needed = "{" + BY_PK + ",\"indexingPolicy\":{" + COMPOSITES + ",\"excludedPaths\":[{\"path\":\"/*\"}],"
                + "\"includedPaths\":[{\"path\":\"/a/?\"},{\"path\":\"/b/?\"},{\"path\":\"/c/?\"}]}}";
        try (var other = TestDatabase.withContainer(needed, 400)) {
            for (int i = 0; i < 200; i++) {
                without += other.createItem("p", itemOfAllKinds(i)).charge() / 200;
            }
        }
        assertThat(charge.after()).isCloseTo(without, within(without / 20));
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
}
