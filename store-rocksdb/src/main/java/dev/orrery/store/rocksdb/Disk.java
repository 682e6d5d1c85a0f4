package dev.orrery.store.rocksdb;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/** What a store asks of the disk it is on. */
class Disk {

    private static final String TRIAL_FILE = "TRIAL";
    private static final int TRIAL_BYTES = 1 << 20;

    private final Path directory;
    private final FileStore files;

    Disk(Path directory) throws IOException {
        this.directory = directory;
        this.files = Files.getFileStore(directory);
    }

    /** How much more the program may put there. */
    long roomBytes() throws IOException {
        return files.getUsableSpace();
    }

    /** Throws when nothing can be written. */
    void tryWrite() throws IOException {
        Path trial = directory.resolve(TRIAL_FILE);
        try {
            Files.write(trial, new byte[TRIAL_BYTES]);
            Inventory.sync(trial);
        } finally {
            Files.deleteIfExists(trial);
        }
    }

    /** Makes a group of writes durable, as far as was asked for. */
    void write(Database database, RowBatch group) throws RocksDBException {
        database.write(group);
    }
}
