package dev.orrery.sql.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.Query;
import dev.orrery.sql.function.ContainerTraits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemBoundsTest {
    /** As many numbers as an item can have. */
    private static final String FULL = "{\"s\":\"" + "x".repeat(10_000) + "\",\"arr\":"
            + IntStream.range(0, 290_000).mapToObj(String::valueOf).collect(Collectors.joining(",", "[", "]")) + "}";

    private static final class Count implements Checkpoint {
        private long steps;
        private long bytes;
        private long peak;

        @Override
        public boolean countsSteps() {
            return true;
        }

        @Override
        public void pass() {
            steps++;
        }

        @Override
        public void work(long more) {
            steps += more;
        }

        @Override
        public void keep(long more) {
            bytes += more;
            peak = Math.max(peak, bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FROM c WHERE EXISTS(SELECT VALUE 1 FROM a IN c.arr WHERE a = -1) = false",
                "FROM c WHERE ARRAY_CONTAINS(c.arr, 289999)",
                "FROM c WHERE c.arr[289999] = 289999 AND CONTAINS(c.s, 'xxxxxxxxxxxxxxxxxxxx')",
                "FROM c WHERE (SELECT VALUE COUNT(1) FROM a IN c.arr) = 290000",
                "FROM c WHERE UPPER(c.s) LIKE '%X'"
            })
    void whatLooksAtALargeItemOnceIsFarFromTheBounds(String condition) {
        var item = JsonReader.parse(FULL);
        assertThat(Query.ofCondition(condition, ContainerTraits.DEFAULT).holds(inputs(ItemBounds.uncounted()), item))
                .isTrue();
        var count = new Count();
        Query.ofCondition(condition, ContainerTraits.DEFAULT).holds(inputs(count), item);
        assertThat(count.steps).isLessThan(Limits.ITEM_STEPS_MAX / 2);
        assertThat(count.peak).isLessThan(Limits.ITEM_VALUES_BYTES_MAX / 2);
    }

    /** Who looks for the second time finds values where there was text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE ARRAY(SELECT VALUE [a, c.o, c.o.list] FROM a IN c.arr) FROM c",
                "SELECT VALUE {a: c.arr, b: ARRAY(SELECT VALUE c.o FROM a IN c.arr WHERE a.x = c.arr[0].x)} FROM c",
                "SELECT VALUE SetUnion(c.arr, c.o.list) FROM c",
                "SELECT VALUE StringToArray(ToString(c.arr)) FROM c",
                "SELECT VALUE c.o = c.arr[1] OR c.o IN (c.arr, c.o.list) FROM c"
            })
    void theSameIsCountedEachTime(String text) {
        var item = JsonReader.parse("{\"arr\":[{\"x\":[1,2]},{\"x\":{\"y\":null}},3],\"o\":{\"list\":[1,\"2\",[3]]}}");
        var first = count(text, item);
        var second = count(text, item);
        assertThat(second.steps).isEqualTo(first.steps).isPositive();
        assertThat(second.peak).isEqualTo(first.peak).isPositive();
    }

    private static Count count(String text, JsonValue item) {
        var count = new Count();
        var run = Query.of(text).run(inputs(count), _ -> true);
        run.add(item, 0);
        run.finish();
        assertThat(count.bytes).isZero();
        return count;
    }

    @Test
    void whatIsPassedOnIsTakenInLargeSteps() {
        var taken = new long[1];
        var bounds = new ItemBounds(more -> taken[0] += more);
        bounds.keep(Limits.MEMORY_QUERY_BYTES_FREE);
        assertThat(taken[0]).isZero();
        bounds.keep(1);
        assertThat(taken[0]).isEqualTo(1 << 20);
        bounds.keep(-1);
        bounds.keep(1);
        assertThat(taken[0]).isEqualTo(1 << 20);
        assertThatThrownBy(() -> bounds.keep(Limits.ITEM_VALUES_BYTES_MAX))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("of a single item needs more than 32 MB of memory");
    }

    @Test
    void aJoinWhoseLastArrayIsMissingIsCountedAsWell() {
        var item = JsonReader.parse(FULL);
        var query = Query.of("SELECT VALUE 1 FROM c JOIN a IN c.arr JOIN b IN c.arr JOIN d IN c.none");
        assertThatThrownBy(() ->
                        query.run(inputs(ItemBounds.uncounted()), _ -> true).add(item, 0))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("takes more than 10000000 steps");
    }

    /** Nothing breaks off a search under way, so that one that would take many minutes is not begun. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE CONTAINS(@text, @part)",
                "SELECT VALUE REPLACE(@text, @part, '')",
                "SELECT VALUE @text LIKE @part",
                "SELECT VALUE REGEXMATCH(@text, '(((a{20}){20}){20})b')"
            })
    void aQueryDoesNotSearchForEver(String text) {
        var parameters = Map.<String, JsonValue>of(
                "@text",
                new JsonValue.Str("a".repeat(2_000_000)),
                "@part",
                new JsonValue.Str("%" + "a".repeat(200_000) + "b"));
        var inputs = QueryInputs.of(parameters, Instant.EPOCH, new SplittableRandom(1));
        assertThatThrownBy(() -> Query.of(text).run(inputs, _ -> true).finish())
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("takes too long");
    }

    @Test
    void aTextThatIsOnlyComparedMayBeAsLong() {
        var parameters = Map.<String, JsonValue>of("@text", new JsonValue.Str("a".repeat(2_000_000)));
        var inputs = QueryInputs.of(parameters, Instant.EPOCH, new SplittableRandom(1));
        var rows = new ArrayList<JsonValue>();
        Query.of("SELECT VALUE [STARTSWITH(@text, @text), STRINGEQUALS(@text, @text), CONTAINS(@text, 'b')]")
                .run(inputs, rows::add)
                .finish();
        assertThat(rows).hasToString("[[true,true,false]]");
    }

    private static QueryInputs inputs(Checkpoint checkpoint) {
        return QueryInputs.of(Map.of(), Instant.EPOCH, new SplittableRandom(1)).withCheckpoint(checkpoint);
    }
}
