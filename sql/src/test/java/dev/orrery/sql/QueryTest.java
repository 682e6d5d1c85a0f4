package dev.orrery.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.Query.Shape;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.golden.GoldenCorpus;
import dev.orrery.sql.run.Position;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {
    private static final QueryInputs INPUTS = QueryInputs.of(Map.of(), Instant.EPOCH, new SplittableRandom(1));

    @Test
    void aPatchConditionHoldsOrNot() {
        var condition = Query.ofCondition("from c where c.v = 1 and c.taken = false", ContainerTraits.DEFAULT);
        assertThat(condition.holds(INPUTS, JsonReader.parse("{\"v\":1,\"taken\":false}")))
                .isTrue();
        assertThat(condition.holds(INPUTS, JsonReader.parse("{\"v\":2,\"taken\":false}")))
                .isFalse();
        assertThat(condition.holds(INPUTS, JsonReader.parse("{}"))).isFalse();
    }

    @Test
    void aPatchConditionMayAlsoBeAWholeQuery() {
        var condition = Query.ofCondition("SELECT * FROM c WHERE c.v > 1", ContainerTraits.DEFAULT);
        assertThat(condition.holds(INPUTS, JsonReader.parse("{\"v\":2}"))).isTrue();
        assertThat(condition.holds(INPUTS, JsonReader.parse("{\"v\":1}"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT * FROM c WHERE c.x = 1 | STREAMING
        SELECT TOP 3 t FROM c JOIN t IN c.tags | STREAMING
        SELECT VALUE x FROM (SELECT VALUE c.v FROM c) x | STREAMING
        SELECT DISTINCT c.x FROM c | STREAMING_WITH_MEMORY
        SELECT VALUE x FROM (SELECT DISTINCT VALUE c.v FROM c) x | STREAMING_WITH_MEMORY
        SELECT VALUE x FROM (SELECT TOP 2 VALUE c.v FROM c) x | STREAMING_WITH_MEMORY
        SELECT * FROM c ORDER BY c.x | BLOCKING
        SELECT VALUE COUNT(1) FROM c | BLOCKING
        SELECT c.x FROM c GROUP BY c.x | BLOCKING
        SELECT VALUE x FROM (SELECT VALUE COUNT(1) FROM c) x | BLOCKING
        SELECT 1 | BLOCKING
        """)
    void theShapeSaysWhenRowsCome(String text, Shape shape) {
        assertThat(Query.of(text).shape()).isEqualTo(shape);
    }

    @Test
    void noMoreItemsAreWantedOnceTopIsReached() {
        var rows = new ArrayList<JsonValue>();
        var run = Query.of("SELECT TOP 2 VALUE c.n FROM c").run(INPUTS, rows::add);
        assertThat(run.add(item(1), 1)).isTrue();
        assertThat(run.add(item(2), 2)).isFalse();
        assertThat(run.wantsItems()).isFalse();
        run.add(item(3), 3);
        run.finish();
        assertThat(rows).containsExactly(new Num(1), new Num(2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE COUNT(1) FROM c",
                "SELECT VALUE COUNT(c.missing) FROM c",
                "SELECT c.n, COUNT(1) AS k, SUM(c.n) AS s, AVG(c.n) AS a, MIN(c.n) AS m FROM c GROUP BY c.n",
                "SELECT VALUE COUNT(1) FROM c WHERE c.n > 1",
                "SELECT COUNT(1) AS k, COUNTIF(c.n > 1) AS i, MAKELIST(c.n) AS l, MAKESET(c.n) AS s FROM c",
                "SELECT VALUE COUNT(1) FROM c JOIN (SELECT VALUE 1) x",
                "SELECT VALUE SUM(x) FROM (SELECT VALUE c.n FROM c) x",
                "SELECT VALUE x FROM (SELECT VALUE COUNT(1) FROM c) x",
                "SELECT DISTINCT VALUE c.n FROM c",
                "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC",
                "SELECT TOP 3 VALUE c.n FROM c"
            })
    void anItemAddedSeveralTimesAtOnceCountsAsOften(String text) {
        var oneByOne = new ArrayList<JsonValue>();
        var atOnce = new ArrayList<JsonValue>();
        var first = Query.of(text).run(INPUTS, oneByOne::add);
        var second = Query.of(text).run(INPUTS, atOnce::add);
        for (int n = 0; n < 4; n++) {
            for (int time = 0; time < n; time++) {
                first.add(item(n), 0);
            }
            second.add(item(n), 0, n);
        }
        first.finish();
        second.finish();
        assertThat(atOnce).isEqualTo(oneByOne).isNotEmpty();
    }

    @Test
    void aQueryStopsAndResumesWithinAnItem() {
        var query = Query.of("SELECT VALUE x FROM c JOIN x IN c.list OFFSET 1 LIMIT 3");
        var item = JsonReader.parse("{\"list\":[10,20,30,40,50]}");
        var first = new ArrayList<JsonValue>();
        var run = query.run(INPUTS, row -> {
            first.add(row);
            return first.size() < 2;
        });
        run.add(item, 1);
        assertThat(first).containsExactly(new Num(20), new Num(30));
        assertThat(run.position()).isEqualTo(new Position(3, 3));

        var second = new ArrayList<JsonValue>();
        var resumed = query.resume(INPUTS, run.position(), second::add);
        assertThat(resumed.add(item, 1)).isFalse();
        assertThat(second).containsExactly(new Num(40));
    }

    @Test
    void equalSortKeysComeInTheDirectionOfTheFirstKey() {
        var items = IntStream.range(0, 5).<JsonValue>mapToObj(QueryTest::item).toList();
        assertThat(GoldenCorpus.rows(Query.of("SELECT VALUE c.n FROM c ORDER BY c.none"), INPUTS, items, 0))
                .containsExactly(new Num(0), new Num(1), new Num(2), new Num(3), new Num(4));
        assertThat(GoldenCorpus.rows(Query.of("SELECT VALUE c.n FROM c ORDER BY c.none DESC"), INPUTS, items, 0))
                .containsExactly(new Num(4), new Num(3), new Num(2), new Num(1), new Num(0));
    }

    @Test
    void theFirstOfManySortedRowsAreTheSameWithAndWithoutTheRest() {
        var random = Seed.random();
        var items = IntStream.range(0, 5_000)
                .<JsonValue>mapToObj(_ -> item(random.nextInt(1_000)))
                .toList();
        var all = GoldenCorpus.rows(Query.of("SELECT * FROM c ORDER BY c.n DESC"), INPUTS, items, 0);
        var first = GoldenCorpus.rows(Query.of("SELECT TOP 7 * FROM c ORDER BY c.n DESC"), INPUTS, items, 0);
        var page =
                GoldenCorpus.rows(Query.of("SELECT * FROM c ORDER BY c.n DESC OFFSET 90 LIMIT 10"), INPUTS, items, 0);
        assertThat(first).isEqualTo(all.subList(0, 7));
        assertThat(page).isEqualTo(all.subList(90, 100));
    }

    @Test
    void onlyTheFirstRowsComeIfNoMoreAreAskedFor() {
        var items =
                IntStream.range(0, 5_000).<JsonValue>mapToObj(QueryTest::item).toList();
        var rows = new ArrayList<JsonValue>();
        var run = Query.of("SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 9")
                .runFirst(2, INPUTS, rows::add);
        for (var index = 0; index < items.size(); index++) {
            assertThat(run.add(items.get(index), index)).isTrue();
        }
        run.finish();
        assertThat(rows).containsExactly(new Num(4_998), new Num(4_997));
    }

    @Test
    void theDeepestQueryRunsOnASmallStack() throws InterruptedException {
        var results = new ArrayList<JsonValue>();
        var failure = new AtomicReference<Throwable>();
        var thread = new Thread(
                null,
                () -> {
                    for (var nested : List.of("(SELECT VALUE ", "ABS(", "[", "-(", "1 + (", "ARRAY(SELECT VALUE ")) {
                        results.add(deepest(nested));
                    }
                },
                "small stack",
                512 * 1024);
        thread.setUncaughtExceptionHandler((_, thrown) -> failure.set(thrown));
        thread.start();
        thread.join();
        assertThat(failure.get()).isNull();
        assertThat(results).hasSize(6);
    }

    /** What a query gives that is nested as deep as is allowed. */
    private static JsonValue deepest(String nested) {
        var closing = nested.startsWith("[") ? "]" : ")";
        for (var depth = Limits.QUERY_DEPTH_MAX; depth > 0; depth--) {
            try {
                var query = Query.of("SELECT VALUE " + nested.repeat(depth) + "1" + closing.repeat(depth));
                return GoldenCorpus.rows(query, INPUTS, List.of(), 0).getFirst();
            } catch (FailureException _) {
                // Still too deep.
            }
        }
        throw new AssertionError("No depth is allowed.");
    }

    @Test
    void aCheckpointCanEndAQueryThatWouldNeverEnd() {
        var steps = new int[1];
        var inputs = QueryInputs.of(Map.of(), Instant.EPOCH, new SplittableRandom(1))
                .withCheckpoint(() -> {
                    if (++steps[0] > 1_000) {
                        throw new FailureException(new Failure.Timeout("enough"));
                    }
                });
        var joins = new StringBuilder("SELECT VALUE COUNT(1) FROM c");
        IntStream.range(0, 10)
                .forEach(number -> joins.append(" JOIN x").append(number).append(" IN c.list"));
        var run = Query.of(joins.toString()).run(inputs, _ -> true);
        var item = Obj.builder()
                .put("list", new JsonValue.Arr(List.of(item(1), item(2), item(3), item(4), item(5), item(6))))
                .build();
        assertThatThrownBy(() -> run.add(item, 1)).hasMessage("enough");
    }

    @Test
    void userFunctionsAreCalledWithTheValuesOfTheirArguments() {
        var inputs = new QueryInputs(
                Map.of(),
                Instant.EPOCH,
                new SplittableRandom(1),
                (name, arguments) ->
                        JsonValue.array(new JsonValue.Str(name), new Num(arguments.size()), arguments.get(0)),
                () -> {});
        var rows = GoldenCorpus.rows(Query.of("SELECT VALUE udf.tax(c.n, 2) FROM c"), inputs, List.of(item(7)), 0);
        assertThat(rows).containsExactly(JsonReader.parse("[\"tax\",2,7]"));
    }

    private static Obj item(int number) {
        return Obj.builder().put("n", number).build();
    }
}
