package dev.orrery.server.transfer;

import dev.orrery.server.fuzz.Fuzz;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever is in a file that is imported, it is read or refused with its place. */
class FileFuzzTest {
    private static final List<String> CSV = List.of(
            "id,name,n:number,ok:boolean\r\n1,\"a, \"\"b\"\"\",2.5,true\n2,,,\n",
            "id;x.y;tags[0]\n1;2;3\n",
            "\ufeffid\n\"multi\nline\"\n");
    private static final List<String> JSON = List.of(
            "[{\"id\":\"1\",\"a\":[1,2,{\"b\":null}]},\n{\"id\":\"2\"}]", "{\"id\":\"1\"}\n{\"id\":\"2\"}\n\n[1]");

    @Test
    void csv() {
        Fuzz.texts("CSV", CSV, input -> readAll(Format.CSV, input));
    }

    @Test
    void json() {
        Fuzz.texts("JSON files", JSON, input -> readAll(Format.JSON, input));
        Fuzz.texts("NDJSON files", JSON, input -> readAll(Format.NDJSON, input));
    }

    private static void readAll(Format format, byte[] input) throws Exception {
        var reader = EntryReader.of(format, new ByteArrayInputStream(input), CsvOptions.DEFAULT);
        try {
            while (reader.next().isPresent()) {
                // Until the end.
            }
        } catch (MalformedFileException _) {
            // The other right answer.
        }
    }
}
