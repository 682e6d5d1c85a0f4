package dev.orrery.server.transfer;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** How the bytes of a file are packed. */
public enum Compression {
    NONE {
        @Override
        InputStream unpack(InputStream packed) {
            return packed;
        }

        @Override
        public OutputStream pack(OutputStream packed) {
            return packed;
        }
    },
    GZIP {
        @Override
        InputStream unpack(InputStream packed) throws IOException {
            return new GZIPInputStream(packed, BUFFER_BYTES);
        }

        @Override
        public OutputStream pack(OutputStream packed) throws IOException {
            return new GZIPOutputStream(packed, BUFFER_BYTES);
        }
    },
    ZSTD {
        @Override
        InputStream unpack(InputStream packed) throws IOException {
            return new ZstdInputStream(packed);
        }

        @Override
        public OutputStream pack(OutputStream packed) throws IOException {
            return new ZstdOutputStream(packed);
        }
    };

    private static final int BUFFER_BYTES = 64 * 1024;

    abstract InputStream unpack(InputStream packed) throws IOException;

    public abstract OutputStream pack(OutputStream packed) throws IOException;
}
