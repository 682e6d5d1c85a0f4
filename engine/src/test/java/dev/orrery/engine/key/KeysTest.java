package dev.orrery.engine.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.model.json.ItemText;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.SystemProperties;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.store.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Laws of everything that is encoded: it reads back as it was, and bytes order like what they stand for. */
class KeysTest {
    private static final PartitionKeyDefinition DEFINITION =
            PartitionKeyDefinition.parse(JsonReader.parse("{\"paths\":[\"/pk\"]}"));
    private static final int ROUNDS = 2_000;

    private final RandomGenerator random = Seed.random();

    @Test
    void anItemKeyReadsBackAsItWas() {
        for (int round = 0; round < ROUNDS; round++) {
            var partition = partition();
            var id = id();
            var key = ItemKey.decode(ItemKey.of(partition, id).bytes());

            assertThat(key.id()).isEqualTo(id);
            assertThat(key.partition()).isEqualTo(partition);
            assertThat(partition.itemKeys().contains(key.bytes())).isTrue();
            assertThat(new RowPlace(DEFINITION).of(key.bytes(), new byte[0])).contains(partition.epk());
        }
    }

    @Test
    void itemKeysOrderByEffectivePartitionKeyFirst() {
        for (int round = 0; round < ROUNDS; round++) {
            var one = ItemKey.of(partition(), id());
            var other = ItemKey.of(partition(), id());
            int byPlace = one.epk().compareTo(other.epk());
            int byBytes = Arrays.compareUnsigned(one.bytes(), other.bytes());

            if (byPlace != 0) {
                assertThat(Integer.signum(byBytes)).isEqualTo(Integer.signum(byPlace));
            }
        }
    }

    @Test
    void theBoundsOfARangeHoldExactlyItsItems() {
        for (int round = 0; round < ROUNDS; round++) {
            var key = ItemKey.of(partition(), id());
            var halves = EpkRange.ALL.split(2, DEFINITION);
            for (var half : halves) {
                boolean between = Arrays.compareUnsigned(ItemKey.start(half), key.bytes()) <= 0
                        && Arrays.compareUnsigned(key.bytes(), ItemKey.end(half)) < 0;
                assertThat(between).isEqualTo(half.contains(key.epk()));
            }
        }
    }

    @Test
    void partsThatRunIntoEachOtherAreStillTwoKeys() {
        var partition =
                new LogicalPartition(EffectivePartitionKey.parse("0000"), new PartitionKey(List.of(new Str("a\0"))));
        var other =
                new LogicalPartition(EffectivePartitionKey.parse("00"), new PartitionKey(List.of(new Str("\0a\0"))));

        assertThat(ItemKey.of(partition, "x")).isNotEqualTo(ItemKey.of(other, "x"));
    }

    @Test
    void logKeysOrderByLsnThenSequence() {
        var keys = List.of(
                new LogKey(1, 0), new LogKey(1, 1), new LogKey(2, 0), new LogKey(300, 0), new LogKey(1L << 40, 7));

        for (int i = 1; i < keys.size(); i++) {
            assertThat(Arrays.compareUnsigned(
                            keys.get(i - 1).encode(), keys.get(i).encode()))
                    .isNegative();
        }
        assertThat(keys)
                .allSatisfy(key -> assertThat(LogKey.decode(key.encode())).isEqualTo(key));
        assertThat(Arrays.compareUnsigned(LogKey.after(1), keys.get(1).encode()))
                .isPositive();
        assertThat(Arrays.compareUnsigned(LogKey.after(1), keys.get(2).encode()))
                .isZero();
    }

    @Test
    void aLogEntryReadsBackAsItWasAndKnowsItsPlace() {
        for (var change : Change.values()) {
            Optional<LogKey> previous = change == Change.CREATE ? Optional.empty() : Optional.of(new LogKey(2, 5));
            var entry = new LogEntry(
                    change, 1_700_000_000L, random.nextLong(1L << 50), previous, ItemKey.of(partition(), id()));

            assertThat(LogEntry.decode(entry.encode())).isEqualTo(entry);
            assertThat(new RowPlace(DEFINITION).of(new LogKey(3, 0).encode(), entry.encode()))
                    .contains(entry.item().epk());
        }
    }

    @Test
    void anEntryOfTheFirstFormatDoesNotKnowTheChangeBefore() {
        var item = ItemKey.of(partition(), id());
        var stored = new KeyWriter(64)
                .writeByte(1)
                .writeByte(1)
                .writeLong(1_700_000_000L)
                .writeLong(5)
                .writeLong(12)
                .writeRaw(item.bytes())
                .toBytes();

        assertThat(LogEntry.decode(stored))
                .isEqualTo(new LogEntry(Change.REPLACE, 1_700_000_000L, 5, Optional.empty(), item));
    }

    @Test
    void expiryKeysOrderByTime() {
        var item = ItemKey.of(partition(), id());
        var early = new ExpiryKey(255, item);
        var late = new ExpiryKey(256, ItemKey.of(partition(), id()));

        assertThat(Arrays.compareUnsigned(early.encode(), late.encode())).isNegative();
        assertThat(Arrays.compareUnsigned(early.encode(), ExpiryKey.after(255))).isNegative();
        assertThat(Arrays.compareUnsigned(late.encode(), ExpiryKey.after(255))).isPositive();
        assertThat(ExpiryKey.decode(early.encode())).isEqualTo(early);
    }

    @Test
    void aStoredItemReadsBackAsItWas() {
        var item = StoredItem.decode(new StoredItem(7, 3, 99, 42, -1, 0, true, itemText("{\"id\":\"1\"}")).encode());

        assertThat(item.lsn()).isEqualTo(7);
        assertThat(item.document()).isEqualTo(42);
        assertThat(item.ttlSeconds()).isEqualTo(-1);
        assertThat(item.text().asValue().member("_etag")).isEqualTo(new Str(item.etag()));
    }

    @Test
    void noTwoVersionsShareAnEtag() {
        assertThat(StoredItem.etag(1, 0, 5))
                .isNotEqualTo(StoredItem.etag(1, 1, 5))
                .isNotEqualTo(StoredItem.etag(2, 0, 5));
        assertThat(StoredItem.etag(0x12345678L, 0, 0x5a1b2c3d)).isEqualTo("\"00001234-5678-0000-0000-5a1b2c3d0000\"");
    }

    @Test
    void timeToLiveIsTheItemsOwnElseTheContainers() {
        assertThat(end(Optional.empty(), 0)).isZero();
        assertThat(end(Optional.empty(), 5)).isZero();
        assertThat(end(Optional.of(-1), 0)).isZero();
        assertThat(end(Optional.of(-1), 5)).isEqualTo(105);
        assertThat(end(Optional.of(10), 0)).isEqualTo(110);
        assertThat(end(Optional.of(10), -1)).isZero();
    }

    private static long end(Optional<Integer> ofContainer, int ofItem) {
        return new TimeToLive(ofContainer, Optional.empty()).end(100, ofItem, itemText("{\"id\":\"1\"}"));
    }

    @Test
    void timeToLiveMayRunFromASecondThatTheItemSays() {
        var fromThere = new TimeToLive(Optional.of(10), Optional.of(JsonPath.parse("/made/at")));

        assertThat(fromThere.end(100, 0, itemText("{\"made\":{\"at\":40}}"))).isEqualTo(50);
        assertThat(fromThere.end(100, 3, itemText("{\"made\":{\"at\":40.9}}"))).isEqualTo(43);
        assertThat(fromThere.end(100, -1, itemText("{\"made\":{\"at\":40}}"))).isZero();
        assertThat(fromThere.end(100, 0, itemText("{\"made\":40}"))).isZero();
        assertThat(fromThere.end(100, 0, itemText("{\"made\":{\"at\":\"40\"}}")))
                .isZero();
        assertThat(fromThere.end(100, 0, itemText("{\"made\":{\"at\":-1}}"))).isZero();
        assertThat(fromThere.end(100, 0, itemText("{\"made\":{\"at\":1e300}}"))).isZero();
    }

    private static ItemText itemText(String json) {
        return ItemText.assemble(
                JsonScanner.scan(json.getBytes(StandardCharsets.UTF_8)),
                new SystemProperties("rid", "self", StoredItem.etag(7, 3, 99), 99));
    }

    private LogicalPartition partition() {
        JsonValue value = switch (random.nextInt(4)) {
            case 0 -> new Num(random.nextInt(100) / 4.0 - 10);
            case 1 -> JsonValue.NULL;
            case 2 -> JsonValue.UNDEFINED;
            default -> new Str(id());
        };
        var key = new PartitionKey(List.of(value));
        return new LogicalPartition(EffectivePartitionKey.of(key, DEFINITION), key);
    }

    private String id() {
        var text = new StringBuilder();
        int length = 1 + random.nextInt(6);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(3);
                        case 1 -> 0x1F600 + random.nextInt(16);
                        default -> 'a' + random.nextInt(4);
                    });
        }
        return text.toString();
    }
}
