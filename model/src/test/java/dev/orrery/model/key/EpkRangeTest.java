package dev.orrery.model.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.PartitionKeyDefinition.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpkRangeTest {
    private static final PartitionKeyDefinition VERSION_1 = definition(Kind.HASH, 1);
    private static final PartitionKeyDefinition VERSION_2 = definition(Kind.HASH, 2);

    @Test
    void containsItsBeginningAndNotItsEnd() {
        var range = EpkRange.parse("10", "20");
        assertThat(range.contains(EffectivePartitionKey.parse("10"))).isTrue();
        assertThat(range.contains(EffectivePartitionKey.parse("1FFF"))).isTrue();
        assertThat(range.contains(EffectivePartitionKey.parse("20"))).isFalse();
        assertThat(range.contains(EffectivePartitionKey.parse("0FFF"))).isFalse();
        assertThat(EpkRange.ALL.contains(EffectivePartitionKey.MIN)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "10, 20, true",
        "00, 10, false",
        "20, 30, false",
        "00, 1000, true",
        "1FFF, 30, true",
        "12, 13, true",
        "00, FF, true",
        "15, 15, false"
    })
    void overlapsWhatSharesAPlace(String min, String max, boolean expected) {
        var range = EpkRange.parse("10", "20");
        var other = EpkRange.parse(min, max);
        assertThat(range.overlaps(other)).isEqualTo(expected);
        assertThat(other.overlaps(range)).isEqualTo(expected);
    }

    @Test
    void containsAnotherRangeWhenItReachesAsFar() {
        var range = EpkRange.parse("10", "20");
        assertThat(range.contains(EpkRange.parse("10", "20"))).isTrue();
        assertThat(range.contains(EpkRange.parse("10", "2000"))).isFalse();
        assertThat(range.contains(EpkRange.parse("", "20"))).isFalse();
    }

    @Test
    void splitsTheLineAtHandyPlaces() {
        assertThat(EpkRange.ALL.split(1, VERSION_2)).containsExactly(EpkRange.ALL);
        assertThat(EpkRange.ALL.split(2, VERSION_2))
                .containsExactly(
                        EpkRange.parse("", "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"),
                        EpkRange.parse("1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "FF"));
    }

    @Test
    void threePartsMeetWhereThoseOfTheServiceDo() {
        assertThat(EpkRange.ALL.split(3, VERSION_1))
                .extracting(range -> range.min().hex())
                .containsExactly("", "05C1D5AB55AB54", "05C1E5AB55AB54");
        assertThat(EpkRange.ALL.split(3, VERSION_2))
                .extracting(range -> range.min().hex())
                .containsExactly("", "15".concat("5".repeat(30)), "2A".concat("A".repeat(30)));
    }

    @Test
    void keysAreSpreadEvenlyOverTheParts() {
        for (var definition : List.of(VERSION_1, VERSION_2, definition(Kind.MULTI_HASH, 2))) {
            for (int parts : new int[] {1, 2, 3, 7, 10}) {
                assertEven(EpkRange.ALL.split(parts, definition), EpkRange.ALL, definition);
            }
        }
    }

    @Test
    void aPartCanBeSplitAgain() {
        for (var definition : List.of(VERSION_1, VERSION_2)) {
            for (var part : EpkRange.ALL.split(3, definition)) {
                assertEven(part.split(4, definition), part, definition);
            }
        }
    }

    private static void assertEven(List<EpkRange> ranges, EpkRange whole, PartitionKeyDefinition definition) {
        assertThat(ranges.getFirst().min()).isEqualTo(whole.min());
        assertThat(ranges.getLast().max()).isEqualTo(whole.max());
        for (int i = 1; i < ranges.size(); i++) {
            assertThat(ranges.get(i).min()).isEqualTo(ranges.get(i - 1).max());
        }
        var counts = new int[ranges.size()];
        int inside = 0;
        for (int i = 0; i < 20_000; i++) {
            var place = EffectivePartitionKey.of(new PartitionKey(List.of(new Str("key-" + i))), definition);
            if (whole.contains(place)) {
                inside++;
                for (int range = 0; range < counts.length; range++) {
                    counts[range] += ranges.get(range).contains(place) ? 1 : 0;
                }
            }
        }
        int fair = inside / counts.length;
        for (int count : counts) {
            assertThat(count).isBetween(fair * 8 / 10, fair * 12 / 10);
        }
    }

    @Test
    void aRangeThatHoldsOnePlaceCannotBeSplit() {
        var narrow = EpkRange.parse("10000000000000000000000000000000", "10000000000000000000000000000001");
        assertThatThrownBy(() -> narrow.split(2, VERSION_2)).isInstanceOf(IllegalStateException.class);
    }

    private static PartitionKeyDefinition definition(Kind kind, int version) {
        return new PartitionKeyDefinition(List.of(JsonPath.parse("/pk")), kind, version, false);
    }
}
