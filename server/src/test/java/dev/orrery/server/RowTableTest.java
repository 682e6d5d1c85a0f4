package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.json.JsonReader;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowTableTest {
    private static List<String> lines(int width, String... rows) {
        return table(rows).lines(width);
    }

    private static RowTable table(String... rows) {
        return new RowTable(Arrays.stream(rows).map(JsonReader::parse).toList());
    }

    @Test
    void columnsAreThePropertiesInTheOrderInWhichTheyAreSeenAndMissingOnesAreBlank() {
        assertThat(lines(
                        100,
                        "{\"b\":1,\"a\":\"x\"}",
                        "{\"a\":\"yy\",\"c\":{\"d\":[1, \"a \\\" b\"]}}",
                        "{\"b\":null,\"c\":true}"))
                .containsExactly(
                        "   b  a   c", //
                        "----  --  ------------------",
                        "   1  x",
                        "      yy  {\"d\":[1,\"a \\\" b\"]}",
                        "null      true");
    }

    @Test
    void rowsThatAreNotObjectsHaveOneColumn() {
        assertThat(lines(100, "1.5", "-2")).containsExactly("value", "-----", "  1.5", "   -2");
    }

    @Test
    void stringsHaveQuotesOnlyWhereTheyCouldBeTakenForSomethingElse() {
        assertThat(lines(100, "{\"id\":\"12\"}", "{\"id\":\"\"}", "{\"id\":\" x\"}", "{\"id\":\"a\\nb\"}"))
                .containsExactly("id", "------", "12", "\"\"", "\" x\"", "\"a\\nb\"");
        assertThat(lines(100, "\"12\"", "12", "\"null\"", "null", "\"x\""))
                .containsExactly("value", "------", "\"12\"", "12", "\"null\"", "null", "x");
    }

    @Test
    void wideLettersTakeTwoColumnsAndMarksNone() {
        assertThat(lines(100, "{\"a\":\"日本\",\"b\":1}", "{\"a\":\"e\u0301\",\"b\":2}", "{\"a\":\"😀\",\"b\":3}"))
                .containsExactly("a     b", "----  -", "日本  1", "e\u0301     2", "😀    3");
    }

    @Test
    void theWidestColumnsAreCutFirstAndNeverWithinACharacter() {
        assertThat(lines(20, "{\"a\":\"short\",\"b\":\"" + "😀".repeat(20) + "\"}"))
                .containsExactly("a      b", "-----  -------------", "short  😀😀😀😀😀😀…");
        assertThat(TextWidth.cut("日本語", 4)).isEqualTo("日…");
    }

    @Test
    void whatTheDatabaseAddsToItemsIsLeftOutUnlessItIsAskedFor() {
        var item = "{\"id\":\"1\",\"_rid\":\"r\",\"_self\":\"s\",\"_etag\":\"e\",\"_attachments\":\"a\",\"_ts\":1}";
        assertThat(lines(100, item)).containsExactly("id", "--", "1");
        assertThat(lines(100, "{\"id\":\"1\",\"_ts\":5}")).containsExactly("id  _ts", "--  ---", "1     5");
    }

    @Test
    void noRowsAndEmptyRowsAreNoTable() {
        assertThat(lines(100)).isEmpty();
        assertThat(lines(100, "{}")).isEmpty();
    }
}
