package dev.orrery.server.transfer;

import java.io.IOException;
import java.util.Optional;

/** A JSON value on each line; blank lines mean nothing. */
final class NdjsonReader implements EntryReader {
    private final ByteInput in;
    private final ByteText text = new ByteText();
    private boolean started;

    NdjsonReader(ByteInput in) {
        this.in = in;
    }

    @Override
    public Optional<Entry> next() throws IOException {
        if (!started) {
            in.skipByteOrderMark();
            started = true;
        }
        while (in.peek() != ByteInput.END) {
            long line = in.line();
            text.clear();
            if (!in.readLine(text, ENTRY_BYTES_MAX)) {
                return Optional.of(
                        new Entry.Malformed(line, 0, "The line is longer than " + ENTRY_BYTES_MAX + " bytes."));
            }
            if (!text.isBlank()) {
                return Optional.of(new Entry.Text(line, 1, text.copy()));
            }
        }
        return Optional.empty();
    }
}
