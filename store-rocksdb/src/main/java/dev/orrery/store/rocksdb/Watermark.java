package dev.orrery.store.rocksdb;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32C;

/**
 * A file that says up to which group all was on disk: {@code number:8 | checksum:4}, big-endian, in two places that are
 * written in turn, so that one of them is always whole.
 *
 * <p>It is not synced, which would double what a commit costs. After the end of this process alone it is exact, for the
 * operating system has it; after a loss of power it may be too low, and never too high.
 */
final class Watermark implements AutoCloseable {

    static final String FILE = "SYNCED";

    private static final int PLACE_BYTES = 512; // A disk writes so much in one piece.
    private static final int BYTES = 8 + 4;

    private final RandomAccessFile file;
    private final byte[] buffer = new byte[BYTES];
    private long number;
    private int place;

    /** Goes on from a number. */
    Watermark(Path directory, long number) throws IOException {
        this.number = number;
        Path path = directory.resolve(FILE);
        if (!Files.exists(path)) {
            Path young = directory.resolve(FILE + ".new");
            Files.write(young, new byte[2 * PLACE_BYTES]);
            try (var made = new RandomAccessFile(young.toFile(), "rw")) {
                write(made);
                write(made);
                made.getFD().sync();
            }
            Files.move(young, path, StandardCopyOption.ATOMIC_MOVE);
        }
        this.file = new RandomAccessFile(path.toFile(), "rw");
        write(file);
        write(file);
    }

    /** The number in a directory, 0 if none was ever written there; throws if the file is damaged. */
    static long read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return 0;
        }
        byte[] bytes = Files.readAllBytes(file);
        long highest = -1;
        for (int at = 0; at + BYTES <= bytes.length; at += PLACE_BYTES) {
            var in = ByteBuffer.wrap(bytes, at, BYTES);
            long found = in.getLong();
            if (in.getInt() == checksum(bytes, at)) {
                highest = Math.max(highest, found);
            }
        }
        if (highest < 0) {
            throw Failures.damaged(directory, FILE, "neither of its two numbers is as it was written");
        }
        return highest;
    }

    synchronized long number() {
        return number;
    }

    /** Everything up to this group is on disk. Numbers never go back. */
    synchronized void advance(long reached) {
        if (reached <= number) {
            return;
        }
        number = reached;
        try {
            write(file);
        } catch (IOException _) {
            // What it says is lower than it could be, and still true.
        }
    }

    private void write(RandomAccessFile target) throws IOException {
        var out = ByteBuffer.wrap(buffer).putLong(number);
        out.putInt(checksum(buffer, 0));
        target.seek((long) place * PLACE_BYTES);
        target.write(buffer);
        place = 1 - place;
    }

    private static int checksum(byte[] bytes, int at) {
        var sum = new CRC32C();
        sum.update(bytes, at, 8);
        return (int) ~sum.getValue(); // So that zeros are not taken for a number.
    }

    @Override
    public synchronized void close() {
        try {
            file.close();
        } catch (IOException _) {
            // Nothing is buffered.
        }
    }
}
