package dev.orrery.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the readers make of files, good and bad. */
class EntryReaderTest {
    private static List<String> read(Format format, String file) throws IOException, MalformedFileException {
        return read(format, file.getBytes(StandardCharsets.UTF_8), CsvOptions.DEFAULT);
    }

    /** Each entry as its line and its text or what is wrong with it. */
    private static List<String> read(Format format, byte[] file, CsvOptions csv)
            throws IOException, MalformedFileException {
        var reader = EntryReader.of(format, new ByteArrayInputStream(file), csv);
        var entries = new ArrayList<String>();
        for (var entry = reader.next(); entry.isPresent(); entry = reader.next()) {
            entries.add(
                    switch (entry.get()) {
                        case Entry.Text text -> text.line() + " " + new String(text.json(), StandardCharsets.UTF_8);
                        case Entry.Malformed(var line, var column, var message) -> line + ":" + column + " " + message;
                    });
        }
        return entries;
    }

    private static List<String> csv(String file) throws IOException, MalformedFileException {
        return read(Format.CSV, file);
    }

    @Test
    void linesAreEntriesAndBlankOnesCountAsLinesOnly() throws Exception {
        assertThat(read(Format.NDJSON, "{\"a\":1}\n\n  \r\n{\"b\":2}\r\nnonsense\n[1]"))
                .containsExactly("1 {\"a\":1}", "4 {\"b\":2}\r", "5 nonsense", "6 [1]");
        assertThat(read(Format.NDJSON, "")).isEmpty();
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheText() throws Exception {
        assertThat(read(Format.NDJSON, "\ufeff{}")).containsExactly("1 {}");
        assertThat(read(Format.JSON, "\ufeff[{}]")).containsExactly("1 {}");
        assertThat(csv("\ufeffid\n1")).containsExactly("2 {\"id\":\"1\"}");
    }

    @Test
    void aLineThatIsTooLongIsPassedOver() throws Exception {
        var line = "x".repeat(EntryReader.ENTRY_BYTES_MAX + 1);
        assertThat(read(Format.NDJSON, "{}\n" + line + "\n{\"a\":1}"))
                .containsExactly(
                        "1 {}",
                        "2:0 The line is longer than " + EntryReader.ENTRY_BYTES_MAX + " bytes.",
                        "3 {\"a\":1}");
    }

    @Test
    void elementsOfAnArrayAreCutOutAsTheyAre() throws Exception {
        assertThat(read(Format.JSON, "[ {\"a\":\"]}\\\"\"},\n{\"b\": [1,\n2]} , 7, \"x\"\n]\n"))
                .containsExactly("1 {\"a\":\"]}\\\"\"}", "2 {\"b\": [1,\n2]}", "3 7", "3 \"x\"");
        assertThat(read(Format.JSON, " [ ] ")).isEmpty();
    }

    @Test
    void objectsMayFollowOneAnother() throws Exception {
        assertThat(read(Format.JSON, "{\"a\":1}\n{\n\"b\":2}{}"))
                .containsExactly("1 {\"a\":1}", "2 {\n\"b\":2}", "3 {}");
        assertThat(read(Format.JSON, "")).isEmpty();
    }

    @Test
    void anArrayThatIsBrokenOffIsSaidToBe() {
        assertThatThrownBy(() -> read(Format.JSON, "[{},\n{\"a\":"))
                .isInstanceOf(MalformedFileException.class)
                .hasMessage("The file ends inside an element.")
                .extracting("line", "column")
                .containsExactly(2L, 6L);
        assertThatThrownBy(() -> read(Format.JSON, "[{}")).hasMessage("The file ends inside its JSON array.");
        assertThatThrownBy(() -> read(Format.JSON, "[{} {}]"))
                .hasMessage("Expected ',' or ']' after an element of the JSON array.");
        assertThatThrownBy(() -> read(Format.JSON, "[{},]")).hasMessage("Expected an element of the JSON array.");
        assertThatThrownBy(() -> read(Format.JSON, "[{}]x"))
                .hasMessage("Expected the end of the file after the JSON array.");
    }

    @Test
    void fieldsAreWhatTheyLookLikeUnlessTheyAreQuoted() throws Exception {
        assertThat(csv("id,a,b,c,d,e,f\n7,7,\"7\",-1.50e3,007,true,null\n8,,\"\",+1,NaN,\"true\",1e999\n"))
                .containsExactly(
                        "2 {\"id\":\"7\",\"a\":7,\"b\":\"7\",\"c\":-1.50e3,\"d\":\"007\",\"e\":true,\"f\":null}",
                        "3 {\"id\":\"8\",\"b\":\"\",\"c\":\"+1\",\"d\":\"NaN\",\"e\":\"true\",\"f\":\"1e999\"}");
    }

    @Test
    void everyFieldOrThoseOfSomeColumnsCanBeText() throws Exception {
        var file = "id,zip,n\n1,12345,7\n".getBytes(StandardCharsets.UTF_8);
        assertThat(read(Format.CSV, file, new CsvOptions(',', true, Set.of())))
                .containsExactly("2 {\"id\":\"1\",\"zip\":\"12345\",\"n\":\"7\"}");
        assertThat(read(Format.CSV, file, new CsvOptions(',', false, Set.of("zip"))))
                .containsExactly("2 {\"id\":\"1\",\"zip\":\"12345\",\"n\":7}");
        assertThatThrownBy(() -> read(Format.CSV, file, new CsvOptions(',', false, Set.of("zap"))))
                .hasMessage("There is no column 'zap' to be kept as text.");
    }

    @Test
    void dottedColumnsAreNested() throws Exception {
        assertThat(csv("id,address.city,n,address.geo.x,a\\.b\n1,Ulm,5,9.9,q\n2,,5,,\n"))
                .containsExactly(
                        "2 {\"id\":\"1\",\"address\":{\"city\":\"Ulm\",\"geo\":{\"x\":9.9}},\"n\":5,\"a.b\":\"q\"}",
                        "3 {\"id\":\"2\",\"n\":5}");
        assertThat(csv("a,a.b\n1,\n,2\n1,2\n"))
                .containsExactly(
                        "2 {\"a\":1}",
                        "3 {\"a\":{\"b\":2}}",
                        "4:0 'a' has a value of its own and properties as well; one of them must be empty.");
    }

    @Test
    void quotedFieldsHoldAnythingAndArraysAreJson() throws Exception {
        assertThat(csv("id,t\r\n1,\"a,\"\"b\"\"\r\nc\"\r\n2,\"[1,{\"\"a\"\":2}]\"\r\n3,[not json\r\n4,ä€𝄞"))
                .containsExactly(
                        "2 {\"id\":\"1\",\"t\":\"a,\\\"b\\\"\\r\\nc\"}",
                        "4 {\"id\":\"2\",\"t\":[1,{\"a\":2}]}",
                        "5 {\"id\":\"3\",\"t\":\"[not json\"}",
                        "6 {\"id\":\"4\",\"t\":\"ä€𝄞\"}");
    }

    @Test
    void badRowsAreToldAndPassedOver() throws Exception {
        assertThat(csv("id,t\n1,a,b\n2,\"x\"y\n3,a\"b\n\n4,ok\n5,\"never"))
                .containsExactly(
                        "2:0 The row has 3 fields, but there are 2 columns.",
                        "3:6 Expected ',' after a quoted field.",
                        "4:4 A field with a quote in it must be quoted.",
                        "6 {\"id\":\"4\",\"t\":\"ok\"}",
                        "7:3 The quoted field that begins here never ends.");
        assertThat(read(Format.CSV, new byte[] {'i', 'd', '\n', (byte) 0xff, '\n', '1'}, CsvOptions.DEFAULT))
                .containsExactly("2:1 The field is not UTF-8 text.", "3 {\"id\":\"1\"}");
    }

    @Test
    void aHeaderMustNameColumnsOnce() {
        assertThatThrownBy(() -> csv("")).hasMessageContaining("begins with the names of its columns");
        assertThatThrownBy(() -> csv("id,id\n")).hasMessage("There are two columns 'id'.");
        assertThatThrownBy(() -> csv("id,,x\n")).hasMessage("Column 2 has no proper name: ''.");
        assertThatThrownBy(() -> csv("id,a..b\n")).hasMessage("Column 2 has no proper name: 'a..b'.");
    }
}
