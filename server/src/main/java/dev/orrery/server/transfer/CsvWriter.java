package dev.orrery.server.transfer;

import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.json.SpelledMembers;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes rows as a table. Which columns there are is known only after the last row, so rows wait in a file until then.
 */
public final class CsvWriter implements RowWriter, AutoCloseable {
    private static final int COLUMNS_MAX = 10_000;

    private final OutputStream out;
    private final char delimiter;
    private final Path waitingFile;
    private final OutputStream waiting;
    private final Set<String> columns = new LinkedHashSet<>();

    /**
     * Opens the file in which rows wait.
     *
     * @param waitingFile is made now, and deleted by {@link #close}
     */
    public CsvWriter(OutputStream out, char delimiter, Path waitingFile) throws IOException {
        this.out = out;
        this.delimiter = delimiter;
        this.waitingFile = waitingFile;
        this.waiting = new BufferedOutputStream(Files.newOutputStream(waitingFile));
        waitingFile.toFile().deleteOnExit(); // also when the program is ended from outside
    }

    private interface CellVisitor {
        void cell(String column, byte[] text, int start, int end);
    }

    @Override
    public void write(JsonWriter row) throws IOException {
        if (row.buffer()[0] != '{') {
            throw new IOException("A table has columns, so each row must be an object; this one is " + row.toText());
        }
        cells(row.buffer(), 0, "", (column, _, _, _) -> columns.add(column));
        if (columns.size() > COLUMNS_MAX) {
            throw new IOException("The items have more than " + COLUMNS_MAX
                    + " different properties, too many for a table. NDJSON has no such limit.");
        }
        waiting.write(row.buffer(), 0, row.size());
        waiting.write('\n');
    }

    /** An object is spread over columns, unless it is empty; an array is one cell. */
    private static void cells(byte[] text, int open, String path, CellVisitor visitor) {
        SpelledMembers.forEach(text, open, (name, all, start, end) -> {
            var column = PropertyName.join(path, name);
            if (all[start] == '{' && all[start + 1] != '}') {
                cells(all, start, column, visitor);
            } else {
                visitor.cell(column, all, start, end);
            }
        });
    }

    @Override
    public void finish() throws IOException {
        waiting.close();
        if (columns.isEmpty()) {
            return; // a table without columns has no header either
        }
        var header = new StringBuilder();
        columns.forEach(column -> append(header, column, mustBeQuoted(column)));
        line(header);
        try (var rows = Files.newInputStream(waitingFile)) {
            var reader = new NdjsonReader(new ByteInput(rows));
            for (Optional<Entry> row = reader.next(); row.isPresent(); row = reader.next()) {
                row(((Entry.Text) row.get()).json());
            }
        }
    }

    private void row(byte[] json) throws IOException {
        Map<String, String> cells = new HashMap<>();
        cells(json, 0, "", (column, text, start, end) -> cells.put(column, cell(text, start, end)));
        var line = new StringBuilder();
        for (var column : columns) {
            append(line, cells.getOrDefault(column, ""), false);
        }
        line(line);
    }

    private String cell(byte[] text, int start, int end) {
        if (text[start] != '"') {
            var json = new String(text, start, end - start, StandardCharsets.UTF_8);
            return mustBeQuoted(json) ? quoted(json) : json;
        }
        var string = SpelledMembers.string(text, start, end);
        return string.isEmpty() || FieldType.isScalar(string) || mustBeQuoted(string) ? quoted(string) : string;
    }

    private boolean mustBeQuoted(String text) {
        return text.indexOf(delimiter) >= 0
                || text.indexOf('"') >= 0
                || text.indexOf('\n') >= 0
                || text.indexOf('\r') >= 0;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    private void append(StringBuilder line, String cell, boolean quote) {
        line.append(quote ? quoted(cell) : cell).append(delimiter);
    }

    private void line(StringBuilder cells) throws IOException {
        cells.setLength(cells.length() - 1);
        out.write(cells.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        waiting.close();
        Files.deleteIfExists(waitingFile);
    }
}
