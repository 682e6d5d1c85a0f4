package dev.orrery.server.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Something to import from.
 *
 * @param name as the person gave it
 * @param bytes size, or -1 when that is not known
 */
public record Source(String name, Format format, Compression compression, long bytes, Opener opener) {
    /** Opens the bytes as they lie there, packed or not. */
    public interface Opener {
        InputStream open() throws IOException;
    }

    public static Source file(String name, Path file, Format format, Compression compression) throws IOException {
        return new Source(name, format, compression, Files.size(file), () -> Files.newInputStream(file));
    }

    public static Source stream(String name, InputStream in, Format format, Compression compression) {
        return new Source(name, format, compression, -1, () -> in);
    }

    /** Opens it for reading, and counts what is read of it. */
    InputStream open(AtomicLong bytesRead) throws IOException {
        return compression.unpack(new Counting(opener.open(), bytesRead));
    }

    private static final class Counting extends FilterInputStream {
        private final AtomicLong count;

        Counting(InputStream in, AtomicLong count) {
            super(in);
            this.count = count;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            count.addAndGet(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] target, int start, int length) throws IOException {
            int read = super.read(target, start, length);
            count.addAndGet(Math.max(0, read));
            return read;
        }
    }
}
