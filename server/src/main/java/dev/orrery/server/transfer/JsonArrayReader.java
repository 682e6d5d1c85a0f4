package dev.orrery.server.transfer;

import java.io.IOException;
import java.util.Optional;

/**
 * The elements of one JSON array, or objects that follow one another. It looks for where each of them ends, and leaves
 * it to others to judge what is in between.
 */
final class JsonArrayReader implements EntryReader {
    private enum Place {
        START,
        IN_ARRAY,
        AFTER_ELEMENT,
        IN_SEQUENCE,
        END
    }

    private final ByteInput in;
    private final ByteText text = new ByteText();
    private Place place = Place.START;

    JsonArrayReader(ByteInput in) {
        this.in = in;
    }

    @Override
    public Optional<Entry> next() throws IOException, MalformedFileException {
        if (place == Place.START) {
            in.skipByteOrderMark();
            skipSpace();
            boolean array = in.peek() == '[';
            if (array) {
                in.read();
            }
            place = array ? Place.IN_ARRAY : Place.IN_SEQUENCE;
        }
        skipSpace();
        return switch (place) {
            case IN_ARRAY -> firstElement();
            case AFTER_ELEMENT -> nextElement();
            case IN_SEQUENCE -> in.peek() == ByteInput.END ? Optional.empty() : Optional.of(element());
            case START, END -> Optional.empty();
        };
    }

    private Optional<Entry> firstElement() throws IOException, MalformedFileException {
        if (in.peek() == ']') {
            return end();
        }
        place = Place.AFTER_ELEMENT;
        return Optional.of(element());
    }

    private Optional<Entry> nextElement() throws IOException, MalformedFileException {
        if (in.peek() == ']') {
            return end();
        }
        if (in.peek() != ',') {
            throw malformed(
                    in.peek() == ByteInput.END
                            ? "The file ends inside its JSON array."
                            : "Expected ',' or ']' after an element of the JSON array.");
        }
        in.read();
        skipSpace();
        return Optional.of(element());
    }

    private Optional<Entry> end() throws IOException, MalformedFileException {
        in.read();
        skipSpace();
        if (in.peek() != ByteInput.END) {
            throw malformed("Expected the end of the file after the JSON array.");
        }
        place = Place.END;
        return Optional.empty();
    }

    private Entry element() throws IOException, MalformedFileException {
        long line = in.line();
        long column = in.column();
        text.clear();
        int first = in.peek();
        if (first == '{' || first == '[') {
            brackets();
        } else {
            scalar();
        }
        if (text.length() > ENTRY_BYTES_MAX) {
            return new Entry.Malformed(line, column, "The element is longer than " + ENTRY_BYTES_MAX + " bytes.");
        }
        if (text.length() == 0) {
            throw malformed("Expected an element of the JSON array.");
        }
        return new Entry.Text(line, column, text.copy());
    }

    private void brackets() throws IOException, MalformedFileException {
        int depth = 0;
        do {
            int next = take();
            switch (next) {
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                case '"' -> string();
                case ByteInput.END -> throw malformed("The file ends inside an element.");
                default -> {}
            }
        } while (depth > 0);
    }

    private void string() throws IOException, MalformedFileException {
        while (true) {
            int next = take();
            if (next == '\\') {
                next = take();
            } else if (next == '"') {
                return;
            }
            if (next == ByteInput.END) {
                throw malformed("The file ends inside a string.");
            }
        }
    }

    private void scalar() throws IOException, MalformedFileException {
        if (in.peek() == '"') {
            take();
            string();
            return;
        }
        while (in.peek() != ByteInput.END && ",]}[{\" \t\r\n".indexOf(in.peek()) < 0) {
            take();
        }
    }

    /** Keeps no more than one byte too many, which tells that it was too much. */
    private int take() throws IOException {
        int next = in.read();
        if (next != ByteInput.END && text.length() <= ENTRY_BYTES_MAX) {
            text.append(next);
        }
        return next;
    }

    private void skipSpace() throws IOException {
        while (in.peek() == ' ' || in.peek() == '\t' || in.peek() == '\r' || in.peek() == '\n') {
            in.read();
        }
    }

    private MalformedFileException malformed(String message) {
        return new MalformedFileException(in.line(), in.column(), message);
    }
}
