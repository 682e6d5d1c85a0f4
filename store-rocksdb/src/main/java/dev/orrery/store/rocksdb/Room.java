package dev.orrery.store.rocksdb;

import java.io.IOException;
import java.util.Optional;

/**
 * What is left of the disk, and whether that is enough to go on writing. Files are merged behind the scenes, which takes
 * room as well: whoever writes until nothing is left leaves them, and the end of the log, by halves.
 */
final class Room {

    private static final long MEGABYTE = 1L << 20;

    /** How much may be written before the next look. */
    private static final long LOOK_BYTES = 4 * MEGABYTE;

    /** Writes stop at the reserve and go on at nine eighths of it, so that they do not stop and go all the time. */
    private static final int SLACK = 8;

    private final Disk disk;
    private final long reserveBytes;
    private long unseenBytes;
    private volatile long bytes = Long.MAX_VALUE;
    private volatile boolean used;

    Room(Disk disk, long reserveBytes) {
        this.disk = disk;
        this.reserveBytes = reserveBytes;
        look();
    }

    /** Looks at the disk again. */
    synchronized void look() {
        unseenBytes = 0;
        try {
            bytes = disk.roomBytes();
        } catch (IOException _) {
            return; // A disk that does not even tell this will fail to write, and that says more.
        }
        used = used ? bytes < reserveBytes + reserveBytes / SLACK : bytes < reserveBytes;
    }

    /** To be told of what has been written. */
    synchronized void written(long some) {
        unseenBytes += some;
        if (unseenBytes >= LOOK_BYTES) {
            look();
        }
    }

    long bytes() {
        return bytes;
    }

    /** Whether so much can be written without touching the reserve. */
    boolean has(long some) {
        return !used && bytes - reserveBytes >= some;
    }

    /** Why nothing is written at present. */
    Optional<String> stopped() {
        return used
                ? Optional.of("No writes are taken at present, because the disk has only " + megabytes(bytes)
                        + " left, and " + megabytes(reserveBytes)
                        + " are kept in reserve (--disk-reserve). Reads go on, and writes do by themselves when there"
                        + " is room again")
                : Optional.empty();
    }

    /** That writes will stop before long. */
    Optional<String> warning() {
        return !used && bytes < 2 * reserveBytes
                ? Optional.of("The disk has only " + megabytes(bytes) + " left; writes stop at "
                        + megabytes(reserveBytes) + " (--disk-reserve)")
                : Optional.empty();
    }

    private static String megabytes(long some) {
        return some / MEGABYTE + " MB";
    }
}
