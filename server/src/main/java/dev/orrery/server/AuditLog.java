package dev.orrery.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.gateway.AuditEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with a line of JSON for every change to what describes the data, for every token handed out, every command, and
 * for those who were not let in; of these only so many a minute, since whoever reaches the port can make any number.
 */
final class AuditLog implements Consumer<AuditEntry>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    private static final int REFUSALS_OF_MINUTE_MAX = 100;
    private static final int SECONDS_OF_MINUTE = 60;

    private final Path path;
    private final FileChannel file;
    private final InstantSource clock;
    private long minute;
    private int refusals;

    private AuditLog(Path path, FileChannel file, InstantSource clock) {
        this.path = path;
        this.file = file;
        this.clock = clock;
    }

    /** Goes on with the file if it is there. */
    static AuditLog open(Path path, InstantSource clock) {
        try {
            return new AuditLog(
                    path, FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND), clock);
        } catch (IOException problem) {
            throw new UserError("The audit log " + path + " cannot be written: " + problem, problem);
        }
    }

    /** Written before the client has its answer, so that nothing it knows of is missing. */
    @Override
    public synchronized void accept(AuditEntry entry) {
        if (entry.isRefusal() && isBeyondItsMinute()) {
            return;
        }
        var line = JsonNodeFactory.instance
                .objectNode()
                .put("time", clock.instant().toString())
                .put("by", entry.by())
                .put("from", entry.from())
                .put("agent", entry.agent())
                .put("operation", entry.operation())
                .put("resource", entry.resource())
                .put("status", entry.status())
                .put("activityId", entry.activityId());
        if (entry.isRefusal() && refusals == REFUSALS_OF_MINUTE_MAX) {
            line.put("note", "the last such line of this minute");
        }
        write(line);
    }

    private boolean isBeyondItsMinute() {
        long now = clock.instant().getEpochSecond() / SECONDS_OF_MINUTE;
        if (now != minute) {
            minute = now;
            refusals = 0;
        }
        return refusals++ >= REFUSALS_OF_MINUTE_MAX;
    }

    private void write(ObjectNode line) {
        var bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException problem) {
            LOG.error("The audit log {} cannot be written: {}; it lacks {}", path, problem, line);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException problem) {
            LOG.warn("The audit log {} could not be closed: {}", path, problem.toString());
        }
    }
}
