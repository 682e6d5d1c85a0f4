package dev.orrery.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.gateway.hybridrow.Frames;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batches in the binary form of the .NET SDK. */
class BinaryBatchTest {
    private static final byte[] READ = Frames.operation(2, null, "d", null);

    // ---- the layout, byte by byte ----

    @Test
    void everyByteOfARequestIsWhereTheLayoutPutsIt() {
        var items = BatchReader.read(Frames.hex("""
            81 F0D8FF7F 01 0A000000

            81 F1D8FF7F 2B000000 FD5F3E7E
            81 7054E17F 47 00000000 02000000
            05 5B2270225D
            0A 7B226964223A2261227D
            14 08 07 4578636C756465
            03 0C

            81 F1D8FF7F 21000000 B9D67052
            81 7054E17F 53 05000000 02000000
            01 63
            0A 7B226964223A2263227D
            14 09 03 226522

            81 F1D8FF7F 16000000 EF3F88A2
            81 7054E17F 13 02000000 02000000
            01 64
            14 0A 01 2A
            02 0C
            """));
        assertThat(items).hasSize(3);
        assertThat(items.get(0).partition()).contains(PartitionKey.parse("[\"p\"]"));
        assertThat(items.get(0).minimal()).isTrue();
        var create = (BatchAction.Write) items.get(0).action();
        assertThat(create.indexing()).isEqualTo(IndexingDirective.EXCLUDE);
        assertThat(new String(((ItemWrite.Create) create.write()).body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":\"a\"}");
        var replace = (ItemWrite.Replace) ((BatchAction.Write) items.get(1).action()).write();
        assertThat(replace.id()).isEqualTo("c");
        assertThat(replace.precondition()).isEqualTo(new Precondition(Optional.of("\"e\""), Optional.empty()));
        assertThat(items.get(1).partition()).isEmpty();
        assertThat(items.get(2))
                .isEqualTo(new BatchItem(
                        new BatchAction.Read("d", new Precondition(Optional.empty(), Optional.of("*"))),
                        Optional.empty(),
                        false));
    }

    @Test
    void aFieldMayBeNamedInsteadOfNumbered() {
        // 13 fields, the empty name among them, and seven letters: 20.
        var named = Frames.join(Frames.hex("14 14"), bytes("ifMatch"), Frames.variable("\"e\""));
        var items = BatchReader.read(Frames.stream(Frames.operation(2, null, "d", null, named)));
        assertThat(items.getFirst().action())
                .isEqualTo(new BatchAction.Read("d", new Precondition(Optional.empty(), Optional.of("\"e\""))));
    }

    @Test
    void segmentsMayBeJoinedAndSayMoreThanTheirLength() {
        var commented = Frames.join(Frames.hex("81 F0D8FF7F 01 0F000000 14 02 02"), bytes("hi"));
        var records = Frames.stream(READ);
        var afterSegment = Arrays.copyOfRange(records, 10, records.length);
        assertThat(BatchReader.read(Frames.join(commented, afterSegment, records)))
                .hasSize(2);
    }

    // ---- what is refused ----

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        81                                                        | must begin with a RecordIO segment
        81 F0D8FF7F 01 0A00                                       | cut short
        81 F0D8FF7F 01 09000000                                   | says that it has 9 bytes
        81 F0D8FF7F 01 FFFFFFFF                                   | says that it has -1 bytes
        81 F0D8FF7F 01 FFFFFF7F                                   | cut short
        81 F1D8FF7F 00000000 00000000                             | must begin with a RecordIO segment
        81 F0D8FF7F 01 0A000000                                   | at least one operation
        81 F0D8FF7F 01 0A000000 81                                | Operation 1 .* cut short
        81 F0D8FF7F 01 0A000000 82 F1D8FF7F 00000000 00000000     | Operation 1 .* version
        81 F0D8FF7F 01 0A000000 81 F2D8FF7F 00000000 00000000     | Operation 1 .* header of a record
        81 F0D8FF7F 01 0A000000 81 F1D8FF7F 00000000 01000000     | Operation 1 .* checksum
        81 F0D8FF7F 01 0A000000 81 F1D8FF7F 00000000 00000000     | Operation 1 .* cut short
        81 F0D8FF7F 01 0A000000 81 F1D8FF7F FFFFFFFF 00000000     | Operation 1 .* cut short
        81 F0D8FF7F 01 0A000000 81 F1D8FF7F FFFFFF7F 00000000     | Operation 1 .* cut short
        """)
    void aStreamThatIsMalformedIsABadRequest(String hex, String message) {
        assertRefused(Frames.hex(hex), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        80 7054E17F 13 02000000 02000000 01 64                              | version
        81 7154E17F 13 02000000 02000000 01 64                              | Its schema is 2145473649
        81 7054E17F 13 02000000 0200                                        | cut short
        81 7054E17F 12 02000000 02000000 01 64                              | no operationType
        81 7054E17F 13 03000000 02000000 01 64                              | does not exist: 3
        81 7054E17F 13 FFFFFFFF 02000000 01 64                              | does not exist: -1
        81 7054E17F 11 02000000 02000000 01 64                              | resourceType must be 2
        81 7054E17F 13 02000000 03000000 01 64                              | resourceType must be 2
        81 7054E17F 03 02000000 02000000                                    | has no id
        81 7054E17F 13 02000000 02000000 00                                 | has no id
        81 7054E17F 13 02000000 02000000 02 64                              | id would take 2 bytes
        81 7054E17F 13 02000000 02000000 FFFFFFFF0F 64                      | id would take 4294967295 bytes
        81 7054E17F 13 02000000 02000000 FFFFFFFFFFFFFFFF7F 64              | cut short
        81 7054E17F 13 02000000 02000000 FFFFFFFFFFFFFFFFFFFF01 64          | never ends
        81 7054E17F 13 02000000 02000000 01 FF                              | not UTF-8
        81 7054E17F 03 00000000 02000000                                    | has no resourceBody
        81 7054E17F 17 02000000 02000000 01 31 01 64                        | partition key
        81 7054E17F 1B 02000000 02000000 01 00 01 64                        | effectivePartitionKey
        81 7054E17F 23 02000000 02000000 01 64                              | binaryId
        81 7054E17F 43 00000000 02000000 03 800000                          | binary JSON is malformed at byte 2
        81 7054E17F 53 01000000 02000000 01 64 01 7B                        | JSON
        81 7054E17F 53 01000000 02000000 01 64 02 7B7D                      | operations
        81 7054E17F 13 02000000 02000000 01 64 14                           | cut short
        81 7054E17F 13 02000000 02000000 01 64 14 09                        | cut short
        81 7054E17F 13 02000000 02000000 01 64 14 09 05 2265                | cut short
        81 7054E17F 13 02000000 02000000 01 64 15 09 01 2A                  | ifMatch has the type code 21
        81 7054E17F 13 02000000 02000000 01 64 63 09 01 2A                  | ifMatch has the type code 99
        81 7054E17F 13 02000000 02000000 01 64 07 0C 01000000               | minimalReturnPreference has the type code 7
        81 7054E17F 13 02000000 02000000 01 64 07 0B 0A000000               | timeToLiveInSeconds
        81 7054E17F 13 02000000 02000000 01 64 14 0E 78 01 2A               | does not have: 'x'
        81 7054E17F 13 02000000 02000000 01 64 07 01 00000000               | does not have: 'operationType'
        81 7054E17F 13 04000000 02000000 01 64 14 08 03 416C6C              | indexing directive
        """)
    void anOperationThatIsMalformedIsABadRequestThatNamesIt(String hex, String message) {
        assertRefused(Frames.stream(READ, Frames.hex(hex)), "Operation 2 of the batch .*" + message);
    }

    @Test
    void whatIsRedundantIsPassedOver() {
        var items = BatchReader.read(
                Frames.stream(Frames.hex("81 7054E17F 3F 02000000 02000000 05 5B2270225D 02 0102 01 64 03 010203")));
        assertThat(items)
                .containsExactly(new BatchItem(
                        new BatchAction.Read("d", Precondition.NONE),
                        Optional.of(PartitionKey.parse("[\"p\"]")),
                        false));
    }

    @Test
    void aHundredOperationsAreTheMost() {
        assertThat(BatchReader.read(Frames.stream(Collections.nCopies(100, READ))))
                .hasSize(100);
        assertRefused(Frames.stream(Collections.nCopies(101, READ)), "may have 100 operations");
    }

    // ---- laws ----

    @Test
    void bothFormsMakeTheSameOperations() {
        var random = seeded();
        for (int round = 0; round < 500; round++) {
            var operations = new ArrayList<Sample>();
            int count = 1 + random.nextInt(100);
            for (int i = 0; i < count; i++) {
                operations.add(Sample.random(random));
            }
            var binary = BatchReader.read(
                    Frames.stream(operations.stream().map(Sample::row).toList()));
            var json = BatchReader.read(
                    bytes(operations.stream().map(Sample::json).toList().toString()));
            assertThat(described(binary)).isEqualTo(described(json));
        }
    }

    @Test
    void changedBytesAreReadOrRefusedAndNothingElse() {
        var random = seeded();
        int refusals = 0;
        for (int round = 0; round < 50_000; round++) {
            var row = Sample.random(random).row();
            // With a right checksum around it, a wrong row gets as far as a right one.
            var body = random.nextBoolean()
                    ? mutated(random, Frames.stream(row, READ))
                    : Frames.stream(READ, mutated(random, row));
            try {
                assertThat(BatchReader.read(body)).isNotEmpty();
            } catch (FailureException refused) {
                assertThat(refused.failure()).isInstanceOf(Failure.BadRequest.class);
                refusals++;
            }
        }
        assertThat(refusals).isBetween(10_000, 50_000);
    }

    private static byte[] mutated(Random random, byte[] original) {
        var bytes = original.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            // The first byte chooses the form, and so it stays.
            int at = 1 + random.nextInt(bytes.length - 1);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes = Arrays.copyOf(bytes, Math.max(at, 2));
                default -> bytes = Frames.join(bytes, new byte[] {(byte) random.nextInt(256)});
            }
        }
        return bytes;
    }

    /** An operation that can be written in both forms; what is absent is null. */
    private record Sample(
            int type, String name, String partition, String id, String body, List<String> texts, Boolean minimal) {
        private static final List<String> TYPES = List.of("Create", "Patch", "Read", "Delete", "Replace", "Upsert");
        private static final int[] NUMBERS = {0, 1, 2, 4, 5, 20};
        private static final List<String> FIELDS = List.of("indexingDirective", "ifMatch", "ifNoneMatch");

        static Sample random(Random random) {
            int kind = random.nextInt(TYPES.size());
            var name = TYPES.get(kind);
            var body = switch (name) {
                case "Read", "Delete" -> null;
                case "Patch" -> "{\"operations\":[{\"op\":\"set\",\"path\":\"/" + word(random) + "\",\"value\":1}]}";
                default -> "{\"id\":\"" + word(random) + "\"}";
            };
            var texts = new ArrayList<String>();
            texts.add(
                    random.nextBoolean()
                            ? List.of("Include", "exclude", "Default").get(random.nextInt(3))
                            : null);
            texts.add(random.nextBoolean() ? word(random) : null);
            texts.add(random.nextBoolean() ? word(random) : null);
            return new Sample(
                    NUMBERS[kind],
                    name,
                    random.nextBoolean() ? "[\"" + word(random) + "\"]" : null,
                    List.of("Create", "Upsert").contains(name) ? null : word(random) + "i",
                    body,
                    texts,
                    random.nextInt(3) == 0 ? null : (Boolean) random.nextBoolean());
        }

        /** Sometimes long enough for a length of two bytes, sometimes empty, with letters of one to four bytes. */
        private static String word(Random random) {
            var letters = List.of("a", "7", "é", "→", "𝄞");
            int length = random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(5);
            var word = new StringBuilder();
            for (int i = 0; i < length; i++) {
                word.append(letters.get(random.nextInt(letters.size())));
            }
            return word.toString();
        }

        byte[] row() {
            var sparse = new ArrayList<byte[]>();
            for (int i = 0; i < FIELDS.size(); i++) {
                if (texts.get(i) != null) {
                    sparse.add(Frames.text(8 + i, texts.get(i)));
                }
            }
            if (minimal != null) {
                sparse.add(new byte[] {(byte) (minimal ? 3 : 2), 12});
            }
            return Frames.operation(type, partition, id, body, sparse.toArray(byte[][]::new));
        }

        String json() {
            var members = new ArrayList<String>(List.of("\"operationType\":\"" + name + "\""));
            add(members, "partitionKey", partition);
            add(members, "id", id);
            for (int i = 0; i < FIELDS.size(); i++) {
                add(members, FIELDS.get(i), texts.get(i));
            }
            if (body != null) {
                members.add("\"resourceBody\":" + body);
            }
            members.add("\"minimalReturnPreference\":" + minimal);
            return "{" + String.join(",", members) + "}";
        }

        private static void add(List<String> members, String name, String text) {
            if (text != null) {
                members.add("\"" + name + "\":\"" + text.replace("\"", "\\\"") + "\"");
            }
        }
    }

    private static List<String> described(List<BatchItem> items) {
        return items.stream()
                .map(item -> item.partition() + " " + item.minimal() + " " + described(item.action()))
                .toList();
    }

    /** Arrays are equal only to themselves, so what holds one is told apart by its text. */
    private static String described(BatchAction action) {
        return switch (action) {
            case BatchAction.Read read -> read.toString();
            case BatchAction.Write(var write, var indexing) ->
                indexing + " " + write.getClass().getSimpleName() + " " + write.precondition() + " "
                        + switch (write) {
                            case ItemWrite.Create create -> text(create.body());
                            case ItemWrite.Upsert upsert -> text(upsert.body());
                            case ItemWrite.Replace replace -> replace.id() + text(replace.body());
                            case ItemWrite.Patch patch -> patch.id() + patched(patch);
                            case ItemWrite.Delete delete -> delete.id();
                        };
        };
    }

    private static String patched(ItemWrite.Patch patch) {
        return JsonWriter.text(patch.patch().apply(JsonValue.Obj.builder().build(), List.of()));
    }

    private static void assertRefused(byte[] body, String message) {
        assertThatThrownBy(() -> BatchReader.read(body))
                .isInstanceOfSatisfying(
                        FailureException.class,
                        refused -> assertThat(refused.failure()).isInstanceOf(Failure.BadRequest.class))
                .message()
                .containsPattern("(?i)" + message);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Random seeded() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("BinaryBatchTest: -Dtest.seed=" + seed);
        return new Random(seed);
    }
}
