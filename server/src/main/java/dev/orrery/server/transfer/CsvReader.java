package dev.orrery.server.transfer;

import dev.orrery.server.transfer.CsvColumns.Field;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rows of a table (RFC 4180), each of which becomes an object; the first one names the columns. */
final class CsvReader implements EntryReader {
    private final ByteInput in;
    private final CsvOptions options;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final ByteText text = new ByteText();
    private CsvColumns columns;

    CsvReader(ByteInput in, CsvOptions options) {
        this.in = in;
        this.options = options;
    }

    /** What is wrong with a row, at the place where that showed. */
    private static final class RowException extends Exception {
        private static final long serialVersionUID = 1L;
        private final long line;
        private final long column;

        RowException(long line, long column, String message) {
            super(message, null, false, false);
            this.line = line;
            this.column = column;
        }
    }

    @Override
    public Optional<Entry> next() throws IOException, MalformedFileException {
        if (columns == null) {
            in.skipByteOrderMark();
            columns = header();
        }
        skipBlankLines();
        if (in.peek() == ByteInput.END) {
            return Optional.empty();
        }
        long line = in.line();
        try {
            return Optional.of(new Entry.Text(line, 1, columns.item(row())));
        } catch (RowException bad) {
            return Optional.of(new Entry.Malformed(bad.line, bad.column, bad.getMessage()));
        } catch (CsvColumns.RowMismatchException bad) {
            return Optional.of(new Entry.Malformed(line, 0, bad.getMessage()));
        }
    }

    private CsvColumns header() throws IOException, MalformedFileException {
        skipBlankLines();
        long line = in.line();
        if (in.peek() == ByteInput.END) {
            throw new MalformedFileException(
                    line, 1, "The file is empty; a table begins with the names of its columns.");
        }
        try {
            return CsvColumns.of(row().stream().map(Field::text).toList(), options);
        } catch (RowException bad) {
            throw new MalformedFileException(bad.line, bad.column, bad.getMessage());
        } catch (CsvColumns.RowMismatchException bad) {
            throw new MalformedFileException(line, 1, bad.getMessage());
        }
    }

    private void skipBlankLines() throws IOException {
        while (in.peek() == '\n' || in.peek() == '\r') {
            in.read();
        }
    }

    /** Leaves the input behind the row, also when there is something wrong with it. */
    private List<Field> row() throws IOException, RowException {
        var fields = new ArrayList<Field>();
        int bytes = 0;
        while (true) {
            boolean quoted = in.peek() == '"';
            fields.add(new Field(quoted ? quoted() : plain(), quoted));
            bytes += text.length();
            if (bytes > ENTRY_BYTES_MAX) {
                throw refused(in.line(), 0, "The row is longer than " + ENTRY_BYTES_MAX + " bytes.");
            }
            long column = in.column();
            int next = in.read();
            if (next == '\r' && (in.peek() == '\n' || in.peek() == ByteInput.END)) {
                next = in.read();
            }
            if (next == '\n' || next == ByteInput.END) {
                return fields;
            }
            if (next != options.delimiter()) {
                throw refused(in.line(), column, "Expected '" + options.delimiter() + "' after a quoted field.");
            }
        }
    }

    private String plain() throws IOException, RowException {
        text.clear();
        long column = in.column();
        while (in.peek() != options.delimiter() && in.peek() != '\n' && in.peek() != ByteInput.END) {
            int next = in.read();
            if (next == '"') {
                throw refused(in.line(), in.column() - 1, "A field with a quote in it must be quoted.");
            }
            if (next == '\r' && (in.peek() == '\n' || in.peek() == ByteInput.END)) {
                break;
            }
            take(next, column);
        }
        return decoded(column);
    }

    private String quoted() throws IOException, RowException {
        text.clear();
        long line = in.line();
        long column = in.column();
        in.read();
        while (true) {
            int next = in.read();
            if (next == ByteInput.END) {
                throw new RowException(line, column, "The quoted field that begins here never ends.");
            }
            if (next == '"') {
                if (in.peek() != '"') {
                    return decoded(column);
                }
                in.read();
            }
            take(next, column);
        }
    }

    private void take(int next, long column) throws IOException, RowException {
        if (text.length() == ENTRY_BYTES_MAX) {
            throw refused(in.line(), column, "The field is longer than " + ENTRY_BYTES_MAX + " bytes.");
        }
        text.append(next);
    }

    private String decoded(long column) throws IOException, RowException {
        try {
            return decoder.decode(ByteBuffer.wrap(text.array(), 0, text.length()))
                    .toString();
        } catch (CharacterCodingException bad) {
            throw refused(in.line(), column, "The field is not UTF-8 text.");
        }
    }

    /** Goes on behind the end of the line, where most likely the next row begins. */
    private RowException refused(long line, long column, String message) throws IOException {
        while (in.line() == line && in.peek() != ByteInput.END) {
            in.read();
        }
        return new RowException(line, column, message);
    }
}
