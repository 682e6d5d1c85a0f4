package dev.orrery.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A commit as bytes, for a log that others apply. Numbers are big-endian:
 *
 * <pre>
 * commit   = version:1 | id:16 | expectedLsn:8 | newLsn:8 | count:4 | mutation..
 * mutation = 01 | key | value   (put)
 *          | 02 | key           (delete)
 *          | 03 | from | to     (delete range)
 * key, value, from, to = length:4 | byte..
 * </pre>
 */
public final class CommitFormat {

    // On disk and on the wire: append only, never renumber or reuse.
    private static final byte VERSION = 1;
    private static final byte PUT = 1;
    private static final byte DELETE = 2;
    private static final byte DELETE_RANGE = 3;

    private static final int HEADER_BYTES = 1 + 16 + 8 + 8 + 4;

    private CommitFormat() {}

    public static byte[] encode(Commit commit) {
        int size = HEADER_BYTES;
        for (Mutation mutation : commit.mutations()) {
            size = Math.addExact(size, size(mutation));
        }
        var out = ByteBuffer.allocate(size)
                .put(VERSION)
                .putLong(commit.id().high())
                .putLong(commit.id().low())
                .putLong(commit.expectedLsn())
                .putLong(commit.newLsn())
                .putInt(commit.mutations().size());
        for (Mutation mutation : commit.mutations()) {
            write(out, mutation);
        }
        return out.array();
    }

    /** The commit of these bytes; throws StoreException unless they are one whole commit of a known version. */
    public static Commit decode(byte[] bytes) {
        try {
            var in = ByteBuffer.wrap(bytes);
            byte version = in.get();
            if (version != VERSION) {
                throw new StoreException("A commit of unknown version " + version + "; this program knows " + VERSION);
            }
            var id = new CommitId(in.getLong(), in.getLong());
            long expectedLsn = in.getLong();
            long newLsn = in.getLong();
            var commit = new Commit(id, expectedLsn, newLsn, readMutations(in));
            if (in.hasRemaining()) {
                throw new StoreException(in.remaining() + " bytes too many after a commit");
            }
            return commit;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new StoreException("The bytes of a commit are damaged", e);
        }
    }

    private static int size(Mutation mutation) {
        return switch (mutation) {
            case Mutation.Put put -> 1 + 4 + put.key().length + 4 + put.value().length;
            case Mutation.Delete delete -> 1 + 4 + delete.key().length;
            case Mutation.DeleteRange delete ->
                1 + 4 + delete.range().from().length + 4 + delete.range().to().length;
        };
    }

    private static void write(ByteBuffer out, Mutation mutation) {
        switch (mutation) {
            case Mutation.Put put -> {
                out.put(PUT);
                write(out, put.key());
                write(out, put.value());
            }
            case Mutation.Delete delete -> {
                out.put(DELETE);
                write(out, delete.key());
            }
            case Mutation.DeleteRange delete -> {
                out.put(DELETE_RANGE);
                write(out, delete.range().from());
                write(out, delete.range().to());
            }
        }
    }

    private static List<Mutation> readMutations(ByteBuffer in) {
        int count = in.getInt();
        if (count < 0) {
            throw new BufferUnderflowException();
        }
        var mutations = new ArrayList<Mutation>(); // Not sized by a count that may be damaged.
        for (int i = 0; i < count; i++) {
            byte kind = in.get();
            mutations.add(
                    switch (kind) {
                        case PUT -> new Mutation.Put(read(in), read(in));
                        case DELETE -> new Mutation.Delete(read(in));
                        case DELETE_RANGE -> new Mutation.DeleteRange(new KeyRange(read(in), read(in)));
                        default -> throw new StoreException("A commit with a mutation of unknown kind " + kind);
                    });
        }
        return mutations;
    }

    private static void write(ByteBuffer out, byte[] bytes) {
        out.putInt(bytes.length).put(bytes);
    }

    private static byte[] read(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
