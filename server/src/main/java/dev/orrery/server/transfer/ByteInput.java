package dev.orrery.server.transfer;

import java.io.IOException;
import java.io.InputStream;

/** Bytes one at a time, with the place they are at. */
final class ByteInput {
    static final int END = -1;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int[] BYTE_ORDER_MARK = {0xef, 0xbb, 0xbf};

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int limit;
    private long line = 1;
    private long column = 1;

    ByteInput(InputStream in) {
        this.in = in;
    }

    /** Passes over the mark that some programs put before UTF-8 text. */
    void skipByteOrderMark() throws IOException {
        if (peek() != BYTE_ORDER_MARK[0]) {
            return;
        }
        for (int expected : BYTE_ORDER_MARK) {
            if (peek() == expected) {
                read();
            }
        }
        column = 1;
    }

    /** The next byte, which stays the next one; {@link #END} behind the last. */
    int peek() throws IOException {
        return at < limit || fill() ? buffer[at] & 0xff : END;
    }

    int read() throws IOException {
        if (at == limit && !fill()) {
            return END;
        }
        int next = buffer[at++] & 0xff;
        if (next == '\n') {
            line++;
            column = 1;
        } else if ((next & 0xc0) != 0x80) {
            column++; // a character of UTF-8 counts by its first byte
        }
        return next;
    }

    /** Everything up to the end of the line, which is passed over; returns whether all of it fitted. */
    boolean readLine(ByteText target, int bytesMax) throws IOException {
        boolean fits = true;
        while (at < limit || fill()) {
            int end = at;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            fits = fits && target.length() + (end - at) <= bytesMax;
            if (fits) {
                target.append(buffer, at, end - at);
            }
            boolean ended = end < limit;
            at = ended ? end + 1 : end;
            if (ended) {
                break;
            }
        }
        line++;
        column = 1;
        return fits;
    }

    private boolean fill() throws IOException {
        at = 0;
        limit = Math.max(0, in.read(buffer));
        return limit > 0;
    }

    long line() {
        return line;
    }

    /** Of the next character. */
    long column() {
        return column;
    }
}
