package dev.orrery.model.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.PartitionKeyDefinition.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Places against those that the Java SDK computes. */
class EffectivePartitionKeyTest {
    private static final Obj VECTORS = vectors();

    @Test
    void singleKeysAreWhereClientsExpectThem() {
        var vectors = list("single");
        assertThat(vectors).hasSize(66);
        for (var vector : vectors) {
            var key = PartitionKey.parse(string(vector, "header"));
            assertThat(hex(key, Kind.HASH, 1)).as("V1 of %s", key).isEqualTo(string(vector, "v1"));
            assertThat(hex(key, Kind.HASH, 2)).as("V2 of %s", key).isEqualTo(string(vector, "v2"));
            assertThat(hex(key, Kind.MULTI_HASH, 2)).as("MultiHash of %s", key).isEqualTo(string(vector, "multiHash"));
        }
    }

    @Test
    void hierarchicalKeysAndTheirPrefixesAreWhereClientsExpectThem() {
        var vectors = list("hierarchical");
        assertThat(vectors).hasSize(12);
        for (var vector : vectors) {
            var key = PartitionKey.parse(string(vector, "header"));
            assertThat(hex(key, Kind.MULTI_HASH, 2)).as("%s", key).isEqualTo(string(vector, "epk"));
            assertThat(hex(key, Kind.HASH, 1)).as("V1 of %s", key).isEqualTo(string(vector, "hashV1AllComponents"));
            assertThat(hex(key, Kind.HASH, 2)).as("V2 of %s", key).isEqualTo(string(vector, "hashV2AllComponents"));
            if (vector.member("prefixMin") instanceof Str(String prefixMin)) {
                var range = EpkRange.startingWith(place(key, Kind.MULTI_HASH, 2));
                assertThat(range.min().hex()).isEqualTo(prefixMin);
                assertThat(range.max().hex()).isEqualTo(string(vector, "prefixMax"));
            }
        }
    }

    @Test
    void theEndsOfTheLineAreAsClientsWriteThem() {
        assertThat(EffectivePartitionKey.MIN.hex()).isEqualTo(string(VECTORS, "min"));
        assertThat(EffectivePartitionKey.MAX.hex()).isEqualTo(string(VECTORS, "max"));
        assertThat(hex(PartitionKey.EMPTY, Kind.HASH, 2)).isEqualTo(string(VECTORS, "emptyKeyV2"));
    }

    @Test
    void aRangeKeyIsTheValueItself() {
        assertThat(hex(PartitionKey.parse("[\"ab\"]"), Kind.RANGE, 1)).isEqualTo("08626300");
    }

    @Test
    void readsHexadecimalAndNothingElse() {
        assertThat(EffectivePartitionKey.parse("1B6e").hex()).isEqualTo("1B6E");
        assertThat(EffectivePartitionKey.parse("")).isEqualTo(EffectivePartitionKey.MIN);
        assertThatThrownBy(() -> EffectivePartitionKey.parse("1")).isInstanceOf(FailureException.class);
        assertThatThrownBy(() -> EffectivePartitionKey.parse("xy")).isInstanceOf(FailureException.class);
    }

    @Test
    void comparesLikeTheHexadecimalText() {
        var ascending = List.of("", "00", "0000", "01", "1B6E", "1B6EFF", "7F", "80", "FE", "FF");
        for (var one : ascending) {
            for (var other : ascending) {
                assertThat(Integer.signum(
                                EffectivePartitionKey.parse(one).compareTo(EffectivePartitionKey.parse(other))))
                        .isEqualTo(Integer.signum(one.compareTo(other)));
            }
        }
    }

    private static String hex(PartitionKey key, Kind kind, int version) {
        return place(key, kind, version).hex();
    }

    private static EffectivePartitionKey place(PartitionKey key, Kind kind, int version) {
        var paths = Stream.of("/a", "/b", "/c")
                .limit(Math.max(1, key.size()))
                .map(JsonPath::parse)
                .toList();
        return EffectivePartitionKey.of(key, new PartitionKeyDefinition(paths, kind, version, false));
    }

    private static Obj vectors() {
        try (var file = EffectivePartitionKeyTest.class.getResourceAsStream("epk-vectors.json")) {
            return (Obj) JsonReader.parse(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Obj> list(String name) {
        return ((Arr) VECTORS.member(name))
                .items().stream().map(Obj.class::cast).toList();
    }

    private static String string(Obj vector, String name) {
        return ((Str) vector.member(name)).value();
    }
}
