package dev.orrery.server.transfer;

import dev.orrery.model.json.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes rows in one of the formats. */
public interface RowWriter {
    /** Takes the text of a row, which is one line of JSON. */
    void write(JsonWriter row) throws IOException;

    /** Writes what is still missing when all rows have been written. */
    void finish() throws IOException;

    /** A line for each row. */
    static RowWriter ndjson(OutputStream out) {
        return new RowWriter() {
            @Override
            public void write(JsonWriter row) throws IOException {
                out.write(row.buffer(), 0, row.size());
                out.write('\n');
            }

            @Override
            public void finish() {}
        };
    }

    /** One array, with a line for each row. */
    static RowWriter json(OutputStream out) {
        return new RowWriter() {
            private boolean started;

            @Override
            public void write(JsonWriter row) throws IOException {
                out.write((started ? ",\n" : "[\n").getBytes(StandardCharsets.US_ASCII));
                out.write(row.buffer(), 0, row.size());
                started = true;
            }

            @Override
            public void finish() throws IOException {
                out.write((started ? "\n]\n" : "[]\n").getBytes(StandardCharsets.US_ASCII));
            }
        };
    }
}
