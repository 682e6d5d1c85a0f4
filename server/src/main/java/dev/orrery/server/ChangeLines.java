package dev.orrery.server;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Prints changes, each on a line, until there are enough or nobody reads them any more. */
final class ChangeLines {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final OutputStream out;
    private long left;

    ChangeLines(OutputStream out, long linesMax) {
        this.out = new BufferedOutputStream(out, BUFFER_BYTES);
        this.left = linesMax;
    }

    /** False when no more are wanted. */
    boolean print(List<String> changes) {
        try {
            for (var change : changes) {
                if (left == 0) {
                    break;
                }
                out.write(change.getBytes(StandardCharsets.UTF_8));
                out.write('\n');
                left--;
            }
            out.flush();
            return left > 0;
        } catch (IOException _) {
            return false; // Whoever read them, such as head, has had enough.
        }
    }
}
