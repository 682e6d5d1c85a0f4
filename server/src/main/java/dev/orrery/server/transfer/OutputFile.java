package dev.orrery.server.transfer;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that is there whole or not at all: it is written beside its place, and moved there at the end. */
public final class OutputFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Path place;
    private final Path part;
    private final FileChannel channel;
    private final OutputStream out;

    public OutputFile(Path place, Compression compression) throws IOException {
        this.place = place;
        this.part = beside(place, ".part");
        this.channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        part.toFile().deleteOnExit(); // also when the program is ended from outside
        // The channel stays open behind the end of the stream, for what has been written to be made durable.
        var open = new FilterOutputStream(Channels.newOutputStream(channel)) {
            @Override
            public void write(byte[] bytes, int start, int count) throws IOException {
                out.write(bytes, start, count);
            }

            @Override
            public void close() throws IOException {
                flush();
            }
        };
        this.out =
                new BufferedOutputStream(compression.pack(new BufferedOutputStream(open, BUFFER_BYTES)), BUFFER_BYTES);
    }

    /** A hidden file in the same folder. */
    public static Path beside(Path place, String ending) {
        return place.resolveSibling("." + place.getFileName() + ending);
    }

    public OutputStream out() {
        return out;
    }

    /** Everything is written. */
    public void commit() throws IOException {
        out.close();
        channel.force(true);
        channel.close();
        Files.move(part, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(part);
    }
}
