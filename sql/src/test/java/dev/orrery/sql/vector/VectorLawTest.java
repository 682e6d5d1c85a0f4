package dev.orrery.sql.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.definition.VectorEmbeddingPolicy.DistanceFunction;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.Seed;
import dev.orrery.sql.function.Builtins;
import dev.orrery.sql.function.CallContext;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.memory.Workspace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** A search among the vectors of an index finds just what VectorDistance finds among those of the items. */
class VectorLawTest {
    private static final CallContext CONTEXT =
            new CallContext(Instant.EPOCH, new SplittableRandom(1), ContainerTraits.DEFAULT, new Workspace(_ -> {}));

    /** Where the numbers of a vector come from. */
    private enum Kind {
        SMALL_WHOLE,
        WHOLE,
        FLOAT,
        DECIMAL,
        DOUBLE,
        EXTREME;

        double number(RandomGenerator random) {
            return switch (this) {
                case SMALL_WHOLE -> random.nextInt(-1, 2);
                case WHOLE -> random.nextInt(-300, 300);
                case FLOAT -> random.nextFloat(-1, 1);
                case DECIMAL -> Math.rint(random.nextGaussian() * 1e6) / 1e6;
                case DOUBLE -> random.nextDouble(-1, 1);
                case EXTREME -> random.nextGaussian() * Math.pow(10, random.nextInt(-320, 300));
            };
        }
    }

    private final RandomGenerator random = Seed.random();

    private <T> T oneOf(T[] choices) {
        return choices[random.nextInt(choices.length)];
    }

    private double[] vector(int dimensions) {
        var kind = oneOf(Kind.values());
        return DoubleStream.generate(() -> kind.number(random))
                .limit(dimensions)
                .toArray();
    }

    private static JsonValue json(double... vector) {
        return new Arr(DoubleStream.of(vector).<JsonValue>mapToObj(Num::new).toList());
    }

    /** What the function of the query language says; NaN for undefined. */
    private static double evaluated(DistanceFunction function, JsonValue one, JsonValue other) {
        var options = Obj.builder()
                .put("distanceFunction", new Str(function.spelling()))
                .build();
        var result = Builtins.find("VECTORDISTANCE")
                .orElseThrow()
                .call(new JsonValue[] {one, other, Bool.TRUE, options}, CONTEXT);
        return result instanceof Num(double distance, var _) ? distance : Double.NaN;
    }

    @Test
    void theShortestFormThatLosesNothingIsTaken() {
        assertThat(VectorForm.encode(json(1, -128, 127), 3))
                .hasValueSatisfying(form -> assertThat(form).containsExactly(0, 1, -128, 127));
        assertThat(VectorForm.encode(json(0, 255), 2))
                .hasValueSatisfying(form -> assertThat(form).containsExactly(1, 0, -1));
        assertThat(VectorForm.encode(json(0.5, 1e6), 2))
                .hasValueSatisfying(form -> assertThat(form).containsExactly(2, 0, 0, 0, 0x3F, 0, 0x24, 0x74, 0x49));
        assertThat(VectorForm.encode(json(0.1, 0), 2))
                .hasValueSatisfying(form -> assertThat(form).hasSize(9).startsWith(3));
        assertThat(VectorForm.encode(json(0.1, 1e-40), 2))
                .hasValueSatisfying(form -> assertThat(form).hasSize(17).startsWith(4));
    }

    @Test
    void whatIsNotAVectorOfTheRightLengthHasNoForm() {
        assertThat(VectorForm.encode(json(1, 2), 3)).isEmpty();
        assertThat(VectorForm.encode(Arr.EMPTY, 0)).isEmpty();
        assertThat(VectorForm.encode(new Arr(List.of(new Num(1), Bool.TRUE)), 2))
                .isEmpty();
        assertThat(VectorForm.encode(JsonValue.UNDEFINED, 1)).isEmpty();
    }

    @Test
    void theDistanceToAFormIsThatToTheVectorUnlessItIsRoundedAndWithinTheBoundsThen() {
        var rounded = 0;
        for (var round = 0; round < 20_000; round++) {
            var dimensions = random.nextInt(1, 20);
            var function = oneOf(DistanceFunction.values());
            var query = json(vector(dimensions));
            var item = json(vector(dimensions));
            var evaluated = evaluated(function, item, query);
            var form = VectorForm.encode(item, dimensions).orElseThrow();
            var bounds = VectorProbe.of(function, query).orElseThrow().bounds(form);
            if (VectorForm.of(form) != VectorForm.ROUNDED) {
                assertThat(bounds.map(VectorProbe.Bounds::low).orElse(Double.NaN))
                        .isEqualTo((Double) evaluated);
                assertThat(bounds.map(VectorProbe.Bounds::isExact).orElse(true)).isTrue();
            } else if (Double.isFinite(evaluated)) {
                assertThat(bounds.orElseThrow().low()).isLessThanOrEqualTo(evaluated);
                assertThat(bounds.orElseThrow().high()).isGreaterThanOrEqualTo(evaluated);
                rounded++;
            }
        }
        assertThat(rounded).isPositive();
    }

    @Test
    void theBoundsOfLongVectorsAreNarrow() {
        for (var function : DistanceFunction.values()) {
            var query = json(random.doubles(1_536, -1, 1).toArray());
            var item = json(random.doubles(1_536, -1, 1).toArray());
            var form = VectorForm.encode(item, 1_536).orElseThrow();
            assertThat(form).hasSize(1 + 4 * 1_536);
            var bounds =
                    VectorProbe.of(function, query).orElseThrow().bounds(form).orElseThrow();
            assertThat(bounds.isExact()).isFalse();
            assertThat(bounds.high() - bounds.low()).isLessThan(1e-4);
            assertThat(evaluated(function, query, item)).isBetween(bounds.low(), bounds.high());
        }
    }

    @Test
    void theNearestAreAlwaysAmongTheCandidates() {
        for (var round = 0; round < 300; round++) {
            var dimensions = random.nextInt(1, 5);
            var function = oneOf(DistanceFunction.values());
            var query = json(vector(dimensions));
            var items = items(dimensions, random.nextInt(10) == 0 ? 5_000 : random.nextInt(200));
            var wanted = random.nextInt(0, 20);
            var descending = random.nextBoolean();
            var distances = items.stream()
                    .mapToDouble(item -> evaluated(function, item, query))
                    .toArray();

            var candidates = new NearestCandidates(wanted, descending, item -> distances[(int) item]);
            var probe = VectorProbe.of(function, query).orElseThrow();
            for (var item = 0; item < items.size(); item++) {
                var number = item;
                probe.bounds(VectorForm.encode(items.get(item), dimensions).orElseThrow())
                        .ifPresent(bounds -> candidates.offer(number, bounds));
            }

            assertThat(candidates.documents()).isSorted().hasSizeLessThanOrEqualTo(1_024);
            assertThat(nearest(candidates.documents(), distances, wanted, descending))
                    .isEqualTo(nearest(all(items.size()), distances, wanted, descending));
        }
    }

    /** Some vectors come again and again, so that equal distances decide. */
    private List<JsonValue> items(int dimensions, int count) {
        var items = new ArrayList<JsonValue>();
        var repeats = random.nextInt(4);
        for (var item = 0; item < count; item++) {
            items.add(
                    item > 0 && random.nextInt(4) < repeats
                            ? items.get(random.nextInt(items.size()))
                            : json(vector(dimensions)));
        }
        return items;
    }

    private static List<Long> all(int count) {
        var all = new ArrayList<Long>();
        for (long item = 0; item < count; item++) {
            all.add(item);
        }
        return all;
    }

    private static List<Long> nearest(List<Long> items, double[] distances, int wanted, boolean descending) {
        Comparator<Long> order = Comparator.comparingDouble(item -> distances[item.intValue()] + 0.0);
        return items.stream()
                .filter(item -> Double.isFinite(distances[item.intValue()]))
                .sorted(descending ? order.reversed() : order)
                .limit(wanted)
                .toList();
    }

    @Test
    void manyEqualVectorsThatWereRoundedDoNotFillTheMemory() {
        var item = json(0.1, 0.2);
        var form = VectorForm.encode(item, 2).orElseThrow();
        var probe = VectorProbe.of(DistanceFunction.EUCLIDEAN, json(0.3, 0.7)).orElseThrow();
        var candidates = new NearestCandidates(3, false, _ -> probe.distance(item));
        for (var document = 0; document < 100_000; document++) {
            candidates.offer(document, probe.bounds(form).orElseThrow());
        }
        assertThat(candidates.documents()).hasSizeLessThan(1_025).startsWith(0L, 1L, 2L);
    }
}
