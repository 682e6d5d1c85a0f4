package dev.orrery.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.plan.SdkQueryPlan.Reach;
import dev.orrery.sql.run.QueryInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HybridSearchPlanTest {
    private static final String SCORE = "_FullTextScore(c.text, [\"swim\", \"run\"],"
            + " {documentdb-formattablehybridsearchquery-totaldocumentcount},"
            + " {documentdb-formattablehybridsearchquery-totalwordcount-0},"
            + " {documentdb-formattablehybridsearchquery-hitcountsarray-0})";

    @Test
    void theTestsPutRowsTogetherAsTheOfficialSdkDid() throws IOException {
        var fixture = fixture();
        var rows = SdkClient.rows((Obj) fixture.member("plan"), "", text -> {
            var perRange = text.startsWith("/*gs*/") ? "perRangeGlobalStatistics" : "perRangeDocuments";
            return ((Arr) fixture.member(perRange))
                    .items().stream().map(range -> ((Arr) range).items()).toList();
        });
        assertThat(new Arr(rows)).isEqualTo(JsonReader.parse(text(fixture, "jsResult")));
    }

    @Test
    void plansHaveTheShapeThatTheOfficialSdkAccepted() throws IOException {
        var fixture = fixture();
        var expected = info((Obj) fixture.member("plan"));
        var actual = info(plan(text(fixture, "query")));
        assertThat(actual.members().keySet()).containsAll(expected.members().keySet());
        for (var name : List.of("componentWeights", "skip", "take", "requiresGlobalStatistics")) {
            assertThat(actual.member(name)).as(name).isEqualTo(expected.member(name));
        }
        for (var index = 0; index < 2; index++) {
            var component = component(actual, index).members();
            component(expected, index).members().forEach((name, value) -> {
                if (!name.equals("rewrittenQuery")) {
                    // That fixture was made by hand; the service and SDKs call the score of a vector by its inner name.
                    var named = JsonWriter.text(value).replace("VectorDistance", "_VectorScore");
                    assertThat(component.get(name)).as(name).isEqualTo(JsonReader.parse(named));
                }
            });
        }
    }

    private static Obj fixture() throws IOException {
        var fixtures = (Obj) JsonReader.parse(Files.readString(Path.of("src/test/resources/query-plan-fixtures.json")));
        return ((Arr) fixtures.member("cases"))
                .items().stream()
                        .map(Obj.class::cast)
                        .filter(fixture -> text(fixture, "query").contains("RANK"))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void vectorsAreRankedByTheWayTheyCompare() {
        var container = ContainerTraits.of(ContainerDefinition.parse((Obj) JsonReader.parse("""
            {"id":"c","partitionKey":{"paths":["/pk"]},"vectorEmbeddingPolicy":{"vectorEmbeddings":[
              {"path":"/near","dataType":"float32","dimensions":2,"distanceFunction":"euclidean"}]}}\
            """)));
        var info = info(Query.of(
                        "SELECT TOP 1 * FROM c ORDER BY RANK RRF(VectorDistance(c.v, [1]), VectorDistance(c.near,"
                                + " [1]))",
                        container)
                .sdkPlan(inputs(Map.of()), EnumSet.allOf(PlanFeature.class), Reach.SEVERAL_RANGES));
        assertThat(text(info, "globalStatisticsQuery"))
                .isEqualTo("SELECT COUNT(1) AS documentCount, [] AS fullTextStatistics FROM c");
        assertThat(info.member("requiresGlobalStatistics")).isEqualTo(JsonValue.Bool.TRUE);
        assertThat(text(component(info, 0), "rewrittenQuery"))
                .contains("[(_VectorScore(c.v, [1]) ?? -1.79769e+308), (_VectorScore(c.near, [1]) ?? 1.79769e+308)]")
                .endsWith(" ORDER BY _VectorScore(c.v, [1]) DESC");
        assertThat(component(info, 1).member("orderBy")).isEqualTo(JsonReader.parse("[\"Ascending\"]"));
        assertThat(text(component(info, 1), "rewrittenQuery")).endsWith(" ORDER BY _VectorScore(c.near, [1]) ASC");
    }

    @Test
    void aRankedQueryIsAskedForStatisticsAndThenByEachScore() {
        var plan = plan("SELECT TOP 10 * FROM c ORDER BY RANK FullTextScore(c.text, 'swim', 'run')");
        assertThat(plan.member("queryInfo").isUndefined()).isTrue();
        var info = info(plan);
        assertThat(text(info, "globalStatisticsQuery"))
                .isEqualTo("SELECT COUNT(1) AS documentCount, [{\"totalWordCount\": SUM(_FullTextWordCount(c.text)),"
                        + " \"hitCounts\": [COUNTIF(FullTextContains(c.text, \"swim\")),"
                        + " COUNTIF(FullTextContains(c.text, \"run\"))]}] AS fullTextStatistics FROM c");
        assertThat(info.member("requiresGlobalStatistics")).isEqualTo(JsonValue.Bool.TRUE);
        assertThat(info.member("componentWithoutPayloadQueryInfos")).isEqualTo(Arr.EMPTY);
        assertThat(info.member("projectionQueryInfo")).isEqualTo(JsonValue.NULL);
        assertThat(info.member("componentWeights")).isEqualTo(Arr.EMPTY);
        assertThat(info.member("skip")).isEqualTo(JsonValue.NULL);
        assertThat(info.member("take")).isEqualTo(new Num(10));
        var component = component(info, 0);
        assertThat(component.member("top")).isEqualTo(new Num(120));
        assertThat(component.member("orderBy")).isEqualTo(JsonReader.parse("[\"Descending\"]"));
        assertThat(component.member("orderByExpressions")).isEqualTo(JsonValue.array(new Str(SCORE)));
        assertThat(component.member("hasNonStreamingOrderBy")).isEqualTo(JsonValue.Bool.TRUE);
        assertThat(text(component, "rewrittenQuery"))
                .isEqualTo("SELECT TOP 120 c._rid, [{\"item\": " + SCORE + "}] AS orderByItems, {\"payload\": c,"
                        + " \"componentScores\": [(" + SCORE + " ?? -1)]} AS payload FROM c"
                        + " WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY " + SCORE + " DESC");
    }

    @Test
    void allRowsAreRankedWhereNobodySaysHowMany() {
        var info = info(plan("SELECT * FROM c ORDER BY RANK FullTextScore(c.text, 'swim', 'run')"));
        assertThat(info.member("skip")).isEqualTo(JsonValue.NULL);
        assertThat(info.member("take")).isEqualTo(JsonValue.NULL);
        assertThat(component(info, 0).member("top")).isEqualTo(JsonValue.NULL);
        assertThat(text(component(info, 0), "rewrittenQuery")).startsWith("SELECT c._rid, ");
    }

    @Test
    void weightsHaveAPointForClientsThatTellWholeNumbersFromOthers() {
        var info = info(plan("SELECT TOP 1 * FROM c ORDER BY RANK RRF(FullTextScore(c.a, 'x'), FullTextScore(c.b, 'y'),"
                + " [1, 0.5])"));
        assertThat(JsonWriter.text(info.member("componentWeights"))).isEqualTo("[1.0,0.5]");
    }

    @Test
    void placeholdersAreNumberedByText() {
        var info =
                info(plan("SELECT TOP 1 * FROM c ORDER BY RANK RRF(FullTextScore(c.a, 'x'), FullTextScore(c.b, 'y'))"));
        var second = text(component(info, 1), "rewrittenQuery");
        assertThat(second)
                .contains("[(_FullTextScore(c.a, [\"x\"], {documentdb-formattablehybridsearchquery-totaldocumentcount},"
                        + " {documentdb-formattablehybridsearchquery-totalwordcount-0}")
                .contains("ORDER BY _FullTextScore(c.b, [\"y\"],")
                .contains("{documentdb-formattablehybridsearchquery-hitcountsarray-1}");
    }

    @Test
    void conditionsAndProjectionsGoIntoEachQuery() {
        var info = info(plan("SELECT VALUE c.id FROM c WHERE c.n > 1 ORDER BY RANK FullTextScore(c.text, 'swim', 'run')"
                + " OFFSET 100 LIMIT 50"));
        assertThat(info.member("skip")).isEqualTo(new Num(100));
        assertThat(info.member("take")).isEqualTo(new Num(50));
        var component = component(info, 0);
        assertThat(component.member("hasSelectValue")).isEqualTo(JsonValue.Bool.TRUE);
        assertThat(text(component, "rewrittenQuery"))
                .startsWith("SELECT TOP 150 c._rid, ")
                .contains("{\"payload\": c.id, ")
                .contains("WHERE (((c.n > 1) AND ({documentdb-formattableorderbyquery-filter})) AND IS_DEFINED(c.id))");
        assertThat(text(info, "globalStatisticsQuery")).doesNotContain("WHERE");
    }

    @Test
    void aWeightBelowZeroTurnsItsScoreRound() {
        var info = info(
                plan("SELECT TOP 1 * FROM c ORDER BY RANK RRF(FullTextScore(c.a, 'x'), FullTextScore(c.b, 'y'), [1,"
                        + " -0.3])"));
        assertThat(info.member("componentWeights")).isEqualTo(JsonReader.parse("[1, 0.3]"));
        assertThat(component(info, 0).member("orderBy")).isEqualTo(JsonReader.parse("[\"Descending\"]"));
        var turned = component(info, 1);
        assertThat(turned.member("orderBy")).isEqualTo(JsonReader.parse("[\"Ascending\"]"));
        assertThat(text(turned, "rewrittenQuery")).contains("?? 1.79769e+308)").endsWith(" ASC");
    }

    @Test
    void countsAndWeightsMayBeParameters() {
        var parameters = Map.of("@k", new Num(500), "@w", JsonReader.parse("[2, 1]"));
        var plan = Query.of(
                        "SELECT TOP @k * FROM c ORDER BY RANK RRF(FullTextScore(c.a, @t), FullTextScore(c.b, 'y'), @w)")
                .sdkPlan(inputs(parameters), EnumSet.allOf(PlanFeature.class), Reach.SEVERAL_RANGES);
        assertThat(info(plan).member("take")).isEqualTo(new Num(500));
        assertThat(info(plan).member("componentWeights")).isEqualTo(JsonReader.parse("[2, 1]"));
        assertThat(component(info(plan), 0).member("top")).isEqualTo(new Num(500));
        assertThat(text(info(plan), "globalStatisticsQuery")).contains("FullTextContains(c.a, @t)");
    }

    @Test
    void everyQueryOfAPlanCanBeReadOnceItsPlaceholdersAreFilled() {
        var info =
                info(plan("SELECT TOP 1 * FROM c ORDER BY RANK RRF(FullTextScore(c.a, 'x'), FullTextScore(c.b, 'y'))"));
        assertThat(Query.of(text(info, "globalStatisticsQuery"))).isNotNull();
        var filled = text(component(info, 1), "rewrittenQuery")
                .replace("{documentdb-formattableorderbyquery-filter}", "true")
                .replaceAll("\\{documentdb-[a-z]+-hitcountsarray-.}", "[1]")
                .replaceAll("\\{documentdb-[a-z]+-[a-z]+(-.)?}", "1");
        assertThat(Query.of(filled)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT TOP 1 * FROM c ORDER BY RANK FullTextScore(c.a, 'x') | HybridSearch
        SELECT TOP 1 * FROM c ORDER BY RANK RRF(FullTextScore(c.a, 'x'), FullTextScore(c.b, 'y')) | HybridSearch
        SELECT TOP 1 * FROM c ORDER BY RANK RRF(FullTextScore(c.a, 'x'), FullTextScore(c.b, 'y'), [1, 2]) | WeightedRankFusion
        """)
    void aFeatureThatTheClientLacksIsNamed(String query, String feature) {
        var others = EnumSet.allOf(PlanFeature.class);
        others.removeIf(other -> other.wireName().equals(feature));
        assertThatThrownBy(() -> Query.of(query).sdkPlan(inputs(Map.of()), others, Reach.SEVERAL_RANGES))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("Query contained " + feature + ", which");
        assertThat(plan(query)).isNotNull();
    }

    @Test
    void thereAreOnlySoManyScoresEachOfWhichIsInTheQueryOfEveryOther() {
        assertThat(plan(ranked(Limits.QUERY_RANKED_SCORES_MAX, "x"))).isNotNull();
        assertThatThrownBy(() -> Query.of(ranked(3_000, "x")))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("RRF takes at most 32 scores, these are 3000.");
    }

    @Test
    void whatTheQueriesOfAPlanTakeTogetherHasABound() {
        var query = ranked(Limits.QUERY_RANKED_SCORES_MAX, "x".repeat(8_000));
        assertThatThrownBy(() -> plan(query))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("Rank by fewer scores");
    }

    private static String ranked(int scores, String term) {
        return "SELECT TOP 1 * FROM c ORDER BY RANK RRF("
                + String.join(", ", Collections.nCopies(scores, "FullTextScore(c.a, '" + term + "')")) + ")";
    }

    private static Obj plan(String query) {
        return Query.of(query).sdkPlan(inputs(Map.of()), EnumSet.allOf(PlanFeature.class), Reach.SEVERAL_RANGES);
    }

    private static QueryInputs inputs(Map<String, JsonValue> parameters) {
        return QueryInputs.of(parameters, Instant.EPOCH, new SplittableRandom(1));
    }

    private static Obj info(Obj plan) {
        return (Obj) plan.member("hybridSearchQueryInfo");
    }

    private static Obj component(Obj info, int index) {
        return (Obj) ((Arr) info.member("componentQueryInfos")).at(index);
    }

    private static String text(Obj json, String name) {
        return ((Str) json.member(name)).value();
    }
}
