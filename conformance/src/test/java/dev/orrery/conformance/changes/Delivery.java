package dev.orrery.conformance.changes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What consumers were given, one line for each write, in a file that the processes of several hosts share. A host adds
 * to it before the SDK notes the place it has come to, so another host that goes on from there adds after it.
 */
public record Delivery(Path file) {
    /** One write: the {@code n}th of its logical partition. */
    public record Write(String partition, int n) {}

    public void add(String host, Collection<Write> writes) {
        var lines = new StringBuilder();
        writes.forEach(write -> lines.append(host)
                .append(' ')
                .append(write.partition)
                .append(' ')
                .append(write.n)
                .append('\n'));
        // One call of write in append mode, so that lines of two processes do not mix.
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * The last write of each logical partition that came. A write may come again, as may those after it, but none may
     * come before the one it followed.
     */
    public Map<String, Integer> reached() {
        var reached = new HashMap<String, Integer>();
        for (var line : lines()) {
            var parts = line.split(" ", -1);
            int n = Integer.parseInt(parts[2]);
            int before = reached.getOrDefault(parts[1], 0);
            assertThat(n)
                    .as("write of %s that came to %s after %d", parts[1], parts[0], before)
                    .isLessThanOrEqualTo(before + 1);
            reached.put(parts[1], Math.max(n, before));
        }
        return reached;
    }

    /** How many deliveries a host had. */
    long countOf(String host) {
        return lines().stream().filter(line -> line.startsWith(host + " ")).count();
    }

    private List<String> lines() {
        try {
            if (!Files.exists(file)) {
                return List.of();
            }
            var text = Files.readString(file);
            // Another process may be in the middle of a line.
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
