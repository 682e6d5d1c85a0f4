package dev.orrery.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law: what was written in a format is read back as it was. */
class RoundTripTest {
    private static final int ROUNDS = 200;
    private static final int ITEMS = 20;
    private static final int DEPTH_MAX = 3;
    private static final String CHARACTERS = "ab 1.,;\"'\\\n\r\t{}[]ä€-e\u0001";

    @TempDir
    Path folder;

    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void everyFormatKeepsEveryItem() throws Exception {
        System.out.println("-Dtest.seed=" + seed);
        for (int round = 0; round < ROUNDS; round++) {
            var items = items();
            for (var format : Format.values()) {
                for (var compression : Compression.values()) {
                    var file = written(items, format, compression);
                    assertThat(read(file, format, compression))
                            .as("%s, %s, seed %s", format, compression, seed)
                            .isEqualTo(items);
                }
            }
        }
    }

    private byte[] written(List<JsonValue> items, Format format, Compression compression) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = compression.pack(bytes);
                var csv = new CsvWriter(out, ',', folder.resolve("rows"))) {
            var writer = switch (format) {
                case NDJSON -> RowWriter.ndjson(out);
                case JSON -> RowWriter.json(out);
                case CSV -> csv;
            };
            for (var item : items) {
                var row = new JsonWriter();
                RowText.write(item, false, row);
                writer.write(row);
            }
            writer.finish();
        }
        return bytes.toByteArray();
    }

    private static List<JsonValue> read(byte[] file, Format format, Compression compression)
            throws IOException, MalformedFileException {
        var in = compression.unpack(new ByteArrayInputStream(file));
        var reader = EntryReader.of(format, in, CsvOptions.DEFAULT);
        var items = new ArrayList<JsonValue>();
        for (var entry = reader.next(); entry.isPresent(); entry = reader.next()) {
            items.add(JsonReader.parse(((Entry.Text) entry.get()).json()));
        }
        return items;
    }

    private List<JsonValue> items() {
        var items = new ArrayList<JsonValue>();
        for (int i = 0; i < ITEMS; i++) {
            items.add(object(0).put("id", "i" + i).build());
        }
        return items;
    }

    private Obj.Builder object(int depth) {
        var object = Obj.builder();
        for (int members = random.nextInt(5); members > 0; members--) {
            object.put("n" + string().replaceAll("[\n\r\u0001]", ""), value(depth));
        }
        return object;
    }

    private JsonValue value(int depth) {
        return switch (random.nextInt(depth < DEPTH_MAX ? 9 : 7)) {
            case 0 -> JsonValue.NULL;
            case 1 -> Bool.of(random.nextBoolean());
            case 2 -> new Num(random.nextInt(2_000) - 1_000);
            case 3 -> new Num(random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20));
            case 4 ->
                new Str(List.of("", "7", "-0.5", "true", "null", "1e5", "007").get(random.nextInt(7)));
            case 5, 6 -> new Str(text());
            case 7 -> object(depth + 1).build();
            default -> {
                var elements = new ArrayList<JsonValue>();
                for (int size = random.nextInt(3); size > 0; size--) {
                    elements.add(value(depth + 1));
                }
                yield new Arr(elements);
            }
        };
    }

    /** A text that is an array or object itself would come back as one from a table, which the manual says. */
    private String text() {
        var text = string();
        return text.startsWith("[") || text.startsWith("{") ? "x" + text : text;
    }

    private String string() {
        var text = new StringBuilder();
        for (int length = random.nextInt(6); length > 0; length--) {
            text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return text.toString();
    }
}
