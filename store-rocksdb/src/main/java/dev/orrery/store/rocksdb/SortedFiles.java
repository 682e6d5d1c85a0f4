package dev.orrery.store.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;

/**
 * Compares the sorted files of a store with their checksums: as many at the start as take no time to speak of, the rest
 * piece by piece while it is open.
 */
final class SortedFiles {

    /** What is read before the store is opened. */
    private static final long START_BYTES_MAX = 256L << 20;

    /** What is read at a time then. */
    private static final long STEP_BYTES = 64L << 20;

    private final Path directory;
    private final Manifest manifest;
    private final Deque<String> uncompared;

    /** For a directory whose files somebody else looks after. */
    static SortedFiles unchecked(Path directory) throws IOException {
        return new SortedFiles(directory, new Manifest("", Collections.emptyNavigableMap()));
    }

    /** Throws when a file is missing or not what it was. */
    SortedFiles(Path directory, Manifest manifest) throws IOException {
        this.directory = directory;
        this.manifest = manifest;
        // The youngest are the ones that matter most: a write of theirs may not have reached the disk.
        this.uncompared = new ArrayDeque<>(manifest.files().descendingKeySet());
        for (String file : manifest.files().keySet()) {
            manifest.checkSize(directory, file);
        }
        compare(START_BYTES_MAX);
    }

    /** Goes on for a while; throws when a file is not what it was. */
    synchronized void compareMore() throws IOException {
        compare(STEP_BYTES);
    }

    private void compare(long bytesMax) throws IOException {
        for (long bytes = 0; bytes < bytesMax && !uncompared.isEmpty(); ) {
            bytes += manifest.files().get(uncompared.getFirst()).size();
            manifest.checkContent(directory, uncompared.getFirst());
            uncompared.removeFirst();
        }
    }
}
