package dev.orrery.store.rocksdb;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A log of RocksDB, read without it: RocksDB takes a damaged record near the end of a log for one that a crash cut off,
 * and drops it with all that comes after, without a word. Numbers are little-endian:
 *
 * <pre>
 * file   = block of 32 KB ..
 * block  = record .. | fewer than 7 bytes, when no header fits in any more
 * record = checksum of type and content:4 | length of the content:2 | type:1 | content
 * type   = 01 an entry | 02 its first piece | 03 a middle one | 04 its last one; others stand for themselves
 * </pre>
 *
 * The log of writes and the manifest both look like this.
 */
final class LogFile {

    /** Is told of entries from the first one on. */
    interface Listener {
        /**
         * An entry is whole.
         *
         * @param head how it begins
         * @param end where it ends in the file
         */
        void entry(byte[] head, long end);
    }

    /** How a log ends. */
    enum End {
        /** With a whole entry. */
        WHOLE,
        /** With the beginning of an entry, or with bytes that were never written. A crash leaves that. */
        TORN,
        /** With something that no crash leaves. */
        DAMAGED
    }

    /**
     * What there is of a log.
     *
     * @param end where its last whole entry ends before anything else begins
     * @param at where what is wrong begins; the end of the file if nothing is
     * @param how what it looks like by itself, whatever comes behind it
     */
    record Findings(long end, long at, End how) {}

    private static final int BLOCK_BYTES = 32 * 1024;
    private static final int HEADER_BYTES = 7;
    private static final int SECTOR_BYTES = 512;
    private static final int MASK_DELTA = 0xa282ead8;

    /** Fewer zeros may well be what was written there. */
    private static final int UNWRITTEN_BYTES_MIN = 16;

    private static final int WHOLE = 1;
    private static final int FIRST = 2;
    private static final int MIDDLE = 3;
    private static final int LAST = 4;
    private static final Set<Integer> ALONE = Set.of(9, 10, 130); // Compression, timestamps, the log before.

    private final Path path;
    private final int headBytes;
    private final byte[] block = new byte[BLOCK_BYTES];
    private RandomAccessFile file;
    private long size;
    private long blockStart;
    private int blockLength;

    /**
     * A log of which nothing is read yet.
     *
     * @param headBytes so much of each entry is told of, if it is so long
     */
    LogFile(Path path, int headBytes) {
        this.path = path;
        this.headBytes = headBytes;
    }

    Path path() {
        return path;
    }

    /** Reads it up to its end, or to the first thing that is wrong. */
    Findings read(Listener listener) throws IOException {
        try (var open = new RandomAccessFile(path.toFile(), "r")) {
            begin(open);
            var head = new Head(headBytes);
            long end = 0;
            load(0);
            int at = 0;
            while (true) {
                if (BLOCK_BYTES - at < HEADER_BYTES) {
                    load(blockStart + BLOCK_BYTES);
                    at = 0;
                }
                long place = blockStart + at;
                if (place >= size) {
                    return head.isOpen() ? new Findings(end, place, End.TORN) : new Findings(end, place, End.WHOLE);
                }
                if (!isRecord(at) || !head.fits(type(at))) {
                    return new Findings(end, place, judge(at));
                }
                boolean whole = head.take(type(at), block, at + HEADER_BYTES, length(at));
                at += HEADER_BYTES + length(at);
                if (whole) {
                    end = blockStart + at;
                    listener.entry(head.bytes(), end);
                } else if (!head.isOpen()) {
                    end = blockStart + at; // A record that stands for itself.
                }
            }
        }
    }

    /** Looks for entries that begin behind a place where something is wrong, and tells how each begins. */
    void readBehind(long place, Consumer<byte[]> heads) throws IOException {
        try (var open = new RandomAccessFile(path.toFile(), "r")) {
            begin(open);
            load(place / BLOCK_BYTES * BLOCK_BYTES);
            int at = (int) (place - blockStart) + 1;
            while (blockStart < size) {
                while (at + HEADER_BYTES <= blockLength) {
                    if (isRecord(at)) {
                        if (type(at) == WHOLE || type(at) == FIRST) {
                            int from = at + HEADER_BYTES;
                            heads.accept(Arrays.copyOfRange(block, from, from + Math.min(length(at), headBytes)));
                        }
                        at += HEADER_BYTES + length(at);
                    } else {
                        at++; // A length may be what is wrong, so the next record may begin anywhere.
                    }
                }
                load(blockStart + BLOCK_BYTES);
                at = 0;
            }
        }
    }

    /** Cuts off what is behind a place, durably. */
    void cut(long place) throws IOException {
        try (var open = new RandomAccessFile(path.toFile(), "rw")) {
            open.setLength(place);
            open.getFD().sync();
        }
    }

    private void begin(RandomAccessFile open) throws IOException {
        file = open;
        size = open.length();
    }

    private void load(long start) throws IOException {
        blockStart = start;
        blockLength = Math.clamp(size - start, 0, BLOCK_BYTES);
        if (blockLength > 0) {
            file.seek(start);
            file.readFully(block, 0, blockLength);
        }
    }

    private boolean isRecord(int at) {
        return at + HEADER_BYTES <= blockLength
                && at + HEADER_BYTES + length(at) <= blockLength
                && ((type(at) >= WHOLE && type(at) <= LAST) || ALONE.contains(type(at)))
                && checksum(at) == checksum(at, length(at));
    }

    private int checksum(int at) {
        return (block[at] & 0xff) | (block[at + 1] & 0xff) << 8 | (block[at + 2] & 0xff) << 16 | block[at + 3] << 24;
    }

    private int length(int at) {
        return (block[at + 4] & 0xff) | (block[at + 5] & 0xff) << 8;
    }

    private int type(int at) {
        return block[at + 6] & 0xff;
    }

    /** The checksum that the record has to have if its content is so long. */
    private int checksum(int at, int length) {
        var sum = new CRC32C();
        sum.update(block, at + HEADER_BYTES - 1, length + 1);
        int value = (int) sum.getValue();
        return (value >>> 15 | value << 17) + MASK_DELTA;
    }

    /** What is wrong at a place, where no record is that belongs there. */
    private End judge(int at) throws IOException {
        long place = blockStart + at;
        if (blockLength - at < HEADER_BYTES) {
            return End.TORN; // Not even a header.
        }
        boolean cutOff = at + HEADER_BYTES + length(at) > blockLength && blockStart + blockLength == size;
        if (cutOff) {
            // The length is no part of the checksum. If the rest of the file is what it is of, nothing is missing.
            int rest = blockLength - at - HEADER_BYTES;
            return checksum(at) == checksum(at, rest) ? End.DAMAGED : End.TORN;
        }
        // A loss of power may leave out sectors, which then are zeros, even with others behind them.
        return lacksSectors(place) ? End.TORN : End.DAMAGED;
    }

    private boolean lacksSectors(long place) throws IOException {
        var sector = new byte[SECTOR_BYTES];
        for (long from = place; from < size; from += SECTOR_BYTES - from % SECTOR_BYTES) {
            int length = (int) Math.min(SECTOR_BYTES - from % SECTOR_BYTES, size - from);
            file.seek(from);
            file.readFully(sector, 0, length);
            if (length >= UNWRITTEN_BYTES_MIN && isZero(sector, length)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isZero(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** How the entry begins whose pieces are being read. */
    private static final class Head {
        private final int bytesMax;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean open;

        Head(int bytesMax) {
            this.bytesMax = bytesMax;
        }

        boolean isOpen() {
            return open;
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }

        /** Whether a record of a type can come now. */
        boolean fits(int type) {
            return open == (type == MIDDLE || type == LAST);
        }

        /** Adds a record; true when it ends an entry. */
        boolean take(int type, byte[] from, int at, int count) {
            if (type == WHOLE || type == FIRST) {
                bytes.reset();
            }
            if (type <= LAST) {
                bytes.write(from, at, Math.min(count, bytesMax - bytes.size()));
                open = type == FIRST || type == MIDDLE;
            }
            return type == WHOLE || type == LAST;
        }
    }
}
