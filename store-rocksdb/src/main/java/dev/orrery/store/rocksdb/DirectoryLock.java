package dev.orrery.store.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps everyone else out of a directory. RocksDB has such a lock as well, but takes it too late: files are looked at,
 * and logs cut, before it is asked.
 */
final class DirectoryLock implements AutoCloseable {

    private static final String FILE = "IN-USE";
    private static final String ROCKS_FILE = "LOCK";

    private final FileChannel channel;

    /** Throws when somebody is there. */
    DirectoryLock(Path directory) throws IOException {
        channel = FileChannel.open(directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (!tryLock(channel) || isLockedByRocks(directory)) {
                throw Failures.inUse(directory);
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static boolean tryLock(FileChannel file) throws IOException {
        try {
            FileLock lock = file.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // By this process.
        }
    }

    /** Whether a program is there that knows RocksDB's lock only, such as an earlier version of this one. */
    private static boolean isLockedByRocks(Path directory) throws IOException {
        Path file = directory.resolve(ROCKS_FILE);
        if (!Files.exists(file)) {
            return false;
        }
        try (var other = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return !tryLock(other);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
