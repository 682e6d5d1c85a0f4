package dev.orrery.sql.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonValue.Undefined;
import dev.orrery.sql.Query;
import dev.orrery.sql.Seed;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory that values take is counted while they are built. */
class BuiltValuesTest {
    private static final long MEGABYTE = 1 << 20;
    private static final String NUMBERS = JsonValue.array(numbers(60)).toString();
    private static final String ITEM = "{\"id\":\"1\",\"s\":\"" + "x".repeat(100_000) + "\",\"arr\":" + NUMBERS
            + ",\"parts\":\"" + "a,".repeat(30_000) + "\",\"o\":{\"a\":{\"b\":[1,2,3]}},\"many\":"
            + JsonValue.array(numbers(20_000)) + "}";

    /** Follows what a query says that it takes. */
    private static final class Memory implements Checkpoint {
        private final long most;
        private long bytes;
        private long peak;

        Memory(long most) {
            this.most = most;
        }

        @Override
        public void pass() {}

        @Override
        public void keep(long more) {
            bytes += more;
            peak = Math.max(peak, bytes);
            if (bytes > most) {
                throw new FailureException(new Failure.BadRequest("enough"));
            }
        }
    }

    /** Short queries over one item of 300 KB, each of which would make gigabytes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE ARRAY(SELECT VALUE c.s FROM a IN c.arr JOIN b IN c.arr JOIN d IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE c.s FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT c.s AS t, a FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY_LENGTH(ARRAY(SELECT VALUE CONCAT(c.s, c.s) FROM a IN c.arr JOIN b IN c.arr)) FROM"
                        + " c",
                "SELECT VALUE ARRAY(SELECT VALUE c.s || ToString(a + b) FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE UPPER(c.s) FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE [c.s] FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE {x: {y: c.s}} FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE r FROM a IN c.arr JOIN b IN c.arr JOIN (SELECT VALUE c.s) r) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE c.many FROM a IN c.arr JOIN b IN c.arr WHERE c.many[0] = 0"
                        + " AND ARRAY_LENGTH(c.many) > 0 ORDER BY c.many) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE ARRAY_CONCAT(c.many, [a]) FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE SetUnion(c.many, c.arr) FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE StringToArray(ToString(c.many)) FROM a IN c.arr JOIN b IN c.arr) FROM"
                        + " c",
                "SELECT VALUE ARRAY(SELECT VALUE StringSplit(c.parts, ',') FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT VALUE RegexExtractAll(c.parts, 'a') FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE REPLACE(c.s, 'x', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx') FROM c",
                "SELECT VALUE StringJoin(StringSplit(c.parts, ','), LEFT(c.s, 250)) FROM c",
                "SELECT VALUE (SELECT VALUE MAKELIST(c.s) FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ARRAY(SELECT MAX(CONCAT(c.s, ToString(a))) AS m, a, b FROM a IN c.arr JOIN b IN c.arr"
                        + " GROUP BY a, b) FROM c",
                "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE CONCAT(c.s, ToString(a), ToString(b)) FROM c"
                        + " JOIN a IN c.arr JOIN b IN c.arr)",
                "SELECT VALUE CONCAT(c.s, ToString(a), ToString(b)) FROM c JOIN a IN c.arr JOIN b IN c.arr ORDER BY a",
                "SELECT VALUE MAKELIST(CONCAT(c.s, ToString(a), ToString(b))) FROM c JOIN a IN c.arr JOIN b IN c.arr",
                "SELECT VALUE ARRAY(SELECT VALUE ObjectToArray({a: c.s, b: c.s}) FROM a IN c.arr JOIN b IN c.arr) FROM"
                        + " c",
                "SELECT VALUE LAST(SELECT VALUE c.s FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE ALL(SELECT VALUE IS_STRING(c.s) FROM a IN c.arr JOIN b IN c.arr JOIN d IN"
                        + " ARRAY(SELECT VALUE c.s FROM x IN c.arr JOIN y IN c.arr)) FROM c"
            })
    void aShortQueryThatMakesMoreThanItMayIsRefusedBeforeItHasMadeIt(String query) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> run(query, new Memory(16 * MEGABYTE), ITEM)).hasMessage("enough");
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated).as("bytes allocated, garbage included").isLessThan(400 * MEGABYTE);
    }

    @Test
    void aLongListOfTheSamePropertyIsCountedForEach() {
        var query = "SELECT VALUE [" + "c.s,".repeat(9_999) + "c.s] FROM c";
        assertThatThrownBy(() -> run(query, new Memory(16 * MEGABYTE), ITEM)).hasMessage("enough");
    }

    /** Parameters are there already; what is made of them is not. */
    @ParameterizedTest
    @ValueSource(strings = {"SELECT VALUE CONCAT(@p, @p, @p, @p, @p, @p, @p)", "SELECT VALUE @p || @p || @p || @p"})
    void aTextThatIsPutTogetherFromParametersIsCountedBeforeItIsMade(String query) {
        var parameters = Map.<String, JsonValue>of("@p", new Str("x".repeat(1_000_000)));
        var memory = new Memory(4 * MEGABYTE);
        var inputs = QueryInputs.of(parameters, Instant.EPOCH, new SplittableRandom(1))
                .withCheckpoint(memory);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> Query.of(query).run(inputs, _ -> true).finish())
                .hasMessage("enough");
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated).isLessThan(4 * MEGABYTE);
    }

    /** What is gone again with each tuple does not add up. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE COUNT(1) FROM c JOIN a IN c.arr JOIN b IN c.arr WHERE LENGTH(c.s) > 0",
                "SELECT VALUE c.s FROM c JOIN a IN c.arr JOIN b IN c.arr",
                "SELECT VALUE EXISTS(SELECT VALUE 1 FROM a IN c.arr JOIN b IN c.arr WHERE UPPER(c.s) = 'no') FROM c",
                "SELECT VALUE (SELECT VALUE COUNT(1) FROM a IN c.arr JOIN b IN c.many WHERE a = b) FROM c",
                "SELECT VALUE SUM(ARRAY_LENGTH(c.many)) FROM c JOIN a IN c.arr",
                "SELECT VALUE ARRAY(SELECT VALUE LENGTH(c.s) FROM a IN c.arr JOIN b IN c.arr) FROM c",
                "SELECT VALUE [c.many[1], c.many[2], c.many[3], c.many[4], c.many[5], c.many[6], c.many[7]] FROM c"
            })
    void whatIsOnlyLookedAtDoesNotAddUp(String query) {
        var memory = new Memory(8 * MEGABYTE);
        run(query, memory, ITEM);
        assertThat(memory.bytes).isZero();
    }

    @Test
    void randomExpressionsAreCountedForNoLessThanTheyMake() {
        var random = Seed.random();
        for (int round = 0; round < 3_000; round++) {
            var text = "SELECT VALUE " + new RandomExpressions(random).value(3) + " FROM c";
            var memory = new Memory(Long.MAX_VALUE);
            var rows = run(text, memory, smallItem(random));
            for (var row : rows) {
                assertThat(memory.peak).as("%s gives %s", text, row).isGreaterThanOrEqualTo(bytes(row));
            }
        }
    }

    // ---- random values ----

    private record RandomExpressions(RandomGenerator random) {
        String value(int depth) {
            if (depth == 0) {
                return pick("c.s", "c.n", "c.arr", "c.o", "c.o.a", "c", "c.arr[1]", "'text'", "c.texts", "c.mixed");
            }
            return switch (random.nextInt(16)) {
                case 0 -> "[" + value(depth - 1) + ", " + value(depth - 1) + "]";
                case 1 -> "{a: " + value(depth - 1) + ", b: " + value(depth - 1) + "}";
                case 2 -> "ARRAY(SELECT VALUE " + value(depth - 1) + " FROM x IN c.arr)";
                case 3 -> "ARRAY(SELECT VALUE x FROM x IN c.mixed WHERE IS_DEFINED(" + value(depth - 1) + "))";
                case 4 -> "ARRAY(SELECT DISTINCT VALUE x FROM x IN c.mixed JOIN y IN c.arr ORDER BY x)";
                case 5 -> "CONCAT(c.s, " + text() + ")";
                case 6 -> "ARRAY_CONCAT(" + array(depth - 1) + ", " + array(depth - 1) + ")";
                case 7 -> "SetUnion(" + array(depth - 1) + ", " + array(depth - 1) + ")";
                case 8 -> "ToString(" + value(depth - 1) + ")";
                case 9 -> "StringToArray(ToString(" + array(depth - 1) + "))";
                case 10 -> "StringSplit(" + text() + ", 'x')";
                case 11 -> "ObjectToArray({p: " + value(depth - 1) + ", q: 1})";
                case 12 -> "REPLACE(" + text() + ", 'x', c.s)";
                case 13 -> "(SELECT VALUE MAKELIST(" + value(0) + ") FROM x IN c.mixed)";
                case 14 -> "StringJoin(c.texts, " + text() + ")";
                default -> "IIF(IS_DEFINED(" + value(depth - 1) + "), " + value(depth - 1) + ", 1)";
            };
        }

        private String array(int depth) {
            return random.nextBoolean() ? "c.mixed" : "ARRAY(SELECT VALUE " + value(depth) + " FROM x IN c.arr)";
        }

        private String text() {
            return pick("c.s", "'xyx'", "UPPER(c.s)", "REVERSE(c.s)", "c.s || c.s", "REPLICATE(c.s, 2)");
        }

        private String pick(String... choices) {
            return choices[random.nextInt(choices.length)];
        }
    }

    private static String smallItem(RandomGenerator random) {
        var text = pickText(random);
        return "{\"id\":\"1\",\"n\":7,\"s\":\"" + text + "\",\"arr\":[1,2,3,4],\"texts\":[\"a\",\"" + text
                + "\",\"x\"],\"o\":{\"a\":{\"b\":[1,{\"c\":null}],\"d\":\"" + text
                + "\"}},\"mixed\":[1,\"" + text + "\",[1,[2,[3]]],{\"k\":{\"l\":[]}},null,true,{},[]]}";
    }

    private static String pickText(RandomGenerator random) {
        return switch (random.nextInt(3)) {
            case 0 -> "x".repeat(random.nextInt(300));
            case 1 -> "\u3042x".repeat(random.nextInt(100));
            default -> "";
        };
    }

    /** What the JVM takes at least for a value; what is in it several times is there once. */
    private static long bytes(JsonValue value) {
        return bytes(value, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static long bytes(JsonValue value, Set<Object> seen) {
        if (!seen.add(value)) {
            return 0;
        }
        return switch (value) {
            case Undefined _, Null _, Bool _ -> 0;
            case Num _ -> 16;
            case Str(String text) ->
                seen.add(text) ? 56 + text.length() * (text.chars().anyMatch(c -> c > 0xff) ? 2L : 1L) : 16;
            // To look at those that are text would unfold them.
            case Arr(var items) when isText(items) -> 48;
            case Arr(var items) -> {
                long bytes = 32;
                for (var item : items) {
                    bytes += 4 + bytes(item, seen);
                }
                yield bytes;
            }
            case Obj object when isText(object.members()) -> 48;
            case Obj object -> {
                long bytes = 16L + 32 + 56 + (object.size() == 0 ? 0 : 80);
                for (var member : object.members().entrySet()) {
                    bytes += 40 + bytes(member.getValue(), seen);
                }
                yield bytes;
            }
        };
    }

    private static boolean isText(Object content) {
        return content.getClass().getName().startsWith("dev.orrery.model.json.");
    }

    private static JsonValue[] numbers(int count) {
        var numbers = new JsonValue[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = new Num(i);
        }
        return numbers;
    }

    private static List<JsonValue> run(String text, Memory memory, String item) {
        var inputs =
                QueryInputs.of(Map.of(), Instant.EPOCH, new SplittableRandom(1)).withCheckpoint(memory);
        var rows = new ArrayList<JsonValue>();
        var run = Query.of(text).run(inputs, row -> rows.size() > 2 || rows.add(row));
        run.add(JsonReader.parse(item), 1);
        run.finish();
        return rows;
    }
}
