package dev.orrery.store.rocksdb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/**
 * How the rows of a store are laid out, told by a row of its own: {@code version:4 | separate key space:1 ..}, sorted.
 */
record StoreFormat(int version, Set<Byte> separateKeySpaces) {

    /** Of the layout this program writes. Any change to rows the store makes itself is a new version. */
    static final int VERSION = 1;

    StoreFormat {
        separateKeySpaces = Set.copyOf(separateKeySpaces);
    }

    /** Before its key, so that it is behind all partitions, whose numbers are never negative. */
    static final long PREFIX = -1;

    static byte[] key() {
        return "format".getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] row() {
        return ByteBuffer.allocate(8 + key().length).putLong(PREFIX).put(key()).array();
    }

    byte[] encode() {
        var out = ByteBuffer.allocate(4 + separateKeySpaces.size()).putInt(version);
        new TreeSet<>(separateKeySpaces).forEach(out::put);
        return out.array();
    }

    static StoreFormat decode(byte[] row) {
        if (row.length < 4) {
            throw new IllegalStateException("A format row of " + row.length + " bytes");
        }
        var in = ByteBuffer.wrap(row);
        int version = in.getInt();
        var separate = new TreeSet<Byte>();
        while (in.hasRemaining()) {
            separate.add(in.get());
        }
        return new StoreFormat(version, separate);
    }
}
