package dev.orrery.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.store.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ItemTextTest {
    private static final SystemProperties SYSTEM = new SystemProperties(
            "AQIDBIAAAAEBAAAAAAAAAA==", "dbs/AQIDBA==/colls/AQIDBIAAAAE=/docs/x/", "\"0-1\"", 1_767_312_000);
    private static final String SYSTEM_TEXT = "\"_rid\":\"AQIDBIAAAAEBAAAAAAAAAA==\","
            + "\"_self\":\"dbs/AQIDBA==/colls/AQIDBIAAAAE=/docs/x/\",\"_etag\":\"\\\"0-1\\\"\","
            + "\"_ts\":1767312000,\"_attachments\":\"attachments/\"}";

    @Test
    void systemPropertiesStandBehindTheOnesOfTheClient() {
        assertThat(text(item("{\"id\":\"1\", \"n\": 1.50}"))).isEqualTo("{\"id\":\"1\", \"n\": 1.50," + SYSTEM_TEXT);
        assertThat(text(item(" { } "))).isEqualTo("{" + SYSTEM_TEXT);
    }

    @Test
    void systemPropertiesSentByTheClientAreDroppedHoweverTheyAreSpelled() {
        var item =
                item("{\"_rid\":1,\"id\":\"1\",\"_ts\":{\"_ts\":1},\"\\u005fself\":2,\"b\":{\"_ts\":2},\"_etag\":null ,"
                        + " \"c\":3, \"_attachments\":[]}");

        assertThat(text(item)).isEqualTo("{\"id\":\"1\",\"b\":{\"_ts\":2},\"c\":3," + SYSTEM_TEXT);
        assertThat(item.member("_ts")).isEqualTo(new Num(1_767_312_000));
        assertThat(text(item("{\"_ts\":1}"))).isEqualTo("{" + SYSTEM_TEXT);
    }

    @Test
    void otherPropertiesWithAnUnderscoreAreTheClients() {
        assertThat(text(item("{\"_lsn\":1,\"_\":2}"))).isEqualTo("{\"_lsn\":1,\"_\":2," + SYSTEM_TEXT);
    }

    @Test
    void anItemAssembledFromItsOwnTextStaysTheSame() {
        var text = text(item("{\"id\":\"1\",\"a\":[1,2]}"));

        assertThat(text(item(text))).isEqualTo(text);
    }

    @Test
    void findsPropertiesByPath() {
        var item = item(
                "{\"a\":{\"b\":{\"c\":1}},\"a\":{\"b\" : {\"c\":2,\"c\":3}},\"list\":[{\"x\":1}],\"\\u00e9\":\"e\"}");

        assertThat(item.at(JsonPath.parse("/a/b/c"))).isEqualTo(new Num(3));
        assertThat(item.at(JsonPath.parse("/é"))).isEqualTo(new Str("e"));
        assertThat(item.at(JsonPath.parse("/a/b/c/d"))).isEqualTo(JsonValue.UNDEFINED);
        assertThat(item.at(JsonPath.parse("/a/x/c"))).isEqualTo(JsonValue.UNDEFINED);
        assertThat(item.at(JsonPath.parse("/list/0/x"))).isEqualTo(JsonValue.UNDEFINED);
        assertThat(item.at(JsonPath.parse("/missing"))).isEqualTo(JsonValue.UNDEFINED);
    }

    @Test
    void namesWithTheSameHashAreToldApart() {
        var item = item("{\"Aa\":1,\"BB\":2,\"AaAa\":3,\"BBBB\":4,\"AaBB\":5}");

        assertThat(item.member("Aa")).isEqualTo(new Num(1));
        assertThat(item.member("BB")).isEqualTo(new Num(2));
        assertThat(item.member("AaAa")).isEqualTo(new Num(3));
        assertThat(item.member("BBAa")).isEqualTo(JsonValue.UNDEFINED);
    }

    @Test
    void randomItemsAreFoundPropertyByPropertyAndSurviveStorage() {
        var json = new RandomJson(Seed.random());
        for (int i = 0; i < 3_000; i++) {
            assertFaithful(json.objectText());
        }
    }

    @Test
    void largeItemsAreFoundPropertyByPropertyAndSurviveStorage() {
        for (int padding : new int[] {65_000, 65_250, 65_535, 65_536, 70_000, 1_000_000}) {
            assertFaithful("{\"first\":1,\"padding\":\"" + "x".repeat(padding) + "\",\"last\":{\"a\":2}}");
        }
        var many = new StringBuilder("{\"p0\":0");
        for (int i = 1; i < 20_000; i++) {
            many.append(",\"p").append(i).append("\":").append(i);
        }
        assertThat(stored(item(many.append('}').toString())).member("p9999")).isEqualTo(new Num(9_999));
    }

    private static void assertFaithful(String client) {
        var expected = Obj.builder();
        ((Obj) JsonReader.parse(client)).members().forEach((name, value) -> {
            if (!SystemProperties.isSystemName(name)) {
                expected.put(name, value);
            }
        });
        expected.putAll((Obj) JsonReader.parse("{" + SYSTEM_TEXT));
        var item = stored(item(client));

        var parsed = (Obj) JsonReader.parse(text(item));
        assertThat(parsed).isEqualTo(expected.build());
        assertThat(parsed.members().keySet())
                .containsExactlyElementsOf(expected.build().members().keySet());
        assertThat(item.asValue()).isEqualTo(parsed);
        assertThat(JsonWriter.text(item.asValue())).isEqualTo(text(item));
        assertPaths(item, parsed, List.of());
        assertThat(item.member("no such name")).isEqualTo(JsonValue.UNDEFINED);
    }

    private static void assertPaths(ItemText item, Obj object, List<String> to) {
        object.members().forEach((name, value) -> {
            var names = new ArrayList<>(to);
            names.add(name);
            var path = new JsonPath(names, "");
            assertThat(item.at(path)).isEqualTo(value);
            assertThat(path.in(item.asValue())).isEqualTo(value);
            if (value instanceof Obj inner) {
                assertPaths(item, inner, names);
            }
        });
    }

    @Test
    void storedBytesCanStandInTheMiddleOfOthers() {
        var item = item("{\"id\":\"1\"}");
        var bytes = new byte[item.encodedLength() + 10];
        int end = item.encode(bytes, 4);

        assertThat(end).isEqualTo(bytes.length - 6);
        assertThat(text(ItemText.decode(bytes, 4, end))).isEqualTo(text(item));
        assertThat(ItemText.decode(bytes, 4, end).encode()).isEqualTo(item.encode());
    }

    @Test
    void theStoredFormIsFixed() {
        var narrow = item("{\"ab\":1}").encode();
        var wide = item("{\"ab\":\"" + "x".repeat(65_536) + "\"}").encode();

        // The hash of "ab" is 0x0c21.
        assertThat(HexFormat.ofDelimiter(" ").formatHex(narrow, 0, 11)).isEqualTo("01 06 00 21 0c 02 00 06 00 07 00");
        assertThat(HexFormat.ofDelimiter(" ").formatHex(wide, 0, 21))
                .isEqualTo("02 06 00 00 00 21 0c 00 00 02 00 00 00 06 00 00 00 08 00 01 00");
    }

    @Test
    void bytesOfAnUnknownFormatAreABug() {
        var bytes = item("{}").encode();
        bytes[0] = 9;

        assertThatThrownBy(() -> ItemText.decode(bytes, 0, bytes.length)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ItemText.decode(item("{}").encode(), 0, 20)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ItemText.decode(new byte[0], 0, 0)).isInstanceOf(IllegalStateException.class);
    }

    private static ItemText item(String client) {
        return ItemText.assemble(JsonScanner.scan(client.getBytes(StandardCharsets.UTF_8)), SYSTEM);
    }

    private static ItemText stored(ItemText item) {
        var bytes = item.encode();
        return ItemText.decode(bytes, 0, bytes.length);
    }

    private static String text(ItemText item) {
        return new String(item.array(), item.textStart(), item.textLength(), StandardCharsets.UTF_8);
    }
}
