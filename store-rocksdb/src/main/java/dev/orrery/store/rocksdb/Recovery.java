package dev.orrery.store.rocksdb;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Brings a database back that has failed to write, step by step as the disk allows:
 *
 * <ol>
 *   <li>when something can be written again, another one is opened beside it, for reading only, and takes over;
 *   <li>when nobody is inside the failed one any more, it is closed;
 *   <li>the directory is checked and opened as after a crash, and takes over from the one for reading.
 * </ol>
 *
 * So nobody who reads has to wait, and if the last step fails, reads go on and it is tried again.
 */
final class Recovery {

    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** What opening a database writes at least. */
    private static final long OPENING_BYTES = 4L << 20;

    private final Path directory;
    private final RocksDbSettings settings;
    private final Current current;
    private final Disk disk;
    private final Room room;

    /** The database that failed, as long as it is the one to be recovered. */
    private Database failed;

    Recovery(Path directory, RocksDbSettings settings, Current current, Disk disk, Room room) {
        this.directory = directory;
        this.settings = settings;
        this.current = current;
        this.disk = disk;
        this.room = room;
    }

    /** Goes as far as it can; a database that takes writes again, once it is there. */
    Optional<Database> goOn() throws IOException {
        // What is in the logs becomes files.
        if (!room.has(OPENING_BYTES + logBytes())) {
            return Optional.empty();
        }
        disk.tryWrite();
        if (failed == null) {
            readElsewhere();
        }
        if (!current.closeLeft(PATIENCE)) {
            return Optional.empty();
        }
        var database = new Database(directory, settings, Database.Use.READ_AND_WRITE, failed.group());
        failed = null;
        return Optional.of(database);
    }

    private void readElsewhere() {
        var old = current.database();
        old.rest();
        current.replace(new Database(directory, settings, Database.Use.READ, old.group()));
        failed = old;
    }

    private long logBytes() throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory, "*.log")) {
            for (Path log : logs) {
                bytes += Files.size(log);
            }
        }
        return bytes;
    }
}
