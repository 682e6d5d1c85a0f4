package dev.orrery.server.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads a file piece by piece, and never holds more than one piece of it. */
public interface EntryReader {
    /** Beyond any item that a database takes, with room for white space. */
    int ENTRY_BYTES_MAX = 8 * 1024 * 1024;

    /**
     * The next piece, or nothing at the end.
     *
     * @throws MalformedFileException when it cannot be told where the next piece would begin
     */
    Optional<Entry> next() throws IOException, MalformedFileException;

    static EntryReader of(Format format, InputStream in, CsvOptions csv) {
        var bytes = new ByteInput(in);
        return switch (format) {
            case NDJSON -> new NdjsonReader(bytes);
            case JSON -> new JsonArrayReader(bytes);
            case CSV -> new CsvReader(bytes, csv);
        };
    }
}
