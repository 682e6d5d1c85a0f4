package dev.orrery.store.rocksdb;

import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Turns what RocksDB says into what a person can act on. */
final class Failures {

    /** What to do about damage. */
    private static final String HELP =
            "Put back a copy of the whole data directory from before the damage; what it holds was not changed";

    private Failures() {}

    /** A file is not as it was written. Nothing has been done to it. */
    static StoreException damaged(Path directory, String file, String how) {
        return new StoreException("The store in %s is damaged: %s: %s. Nothing has been changed. %s"
                .formatted(directory, file, how, HELP));
    }

    static StoreException unusable(Path directory, IOException cause) {
        return new StoreException("The directory " + directory + " cannot be used: " + cause, cause);
    }

    static StoreException inUse(Path directory) {
        return new StoreException("Another Orrery is using " + directory + ": stop it, or choose another directory");
    }

    static StoreException opening(Path directory, RocksDBException cause) {
        if (is(cause, Status.Code.IOError) && cause.getMessage().contains("LOCK")) {
            return inUse(directory);
        }
        if (is(cause, Status.Code.Corruption)) {
            // RocksDB names the file in all cases but this: damage to the log.
            boolean named = cause.getMessage().contains(directory.toString())
                    || cause.getMessage().contains("CURRENT");
            return new StoreException(
                    "The store in %s is damaged: %s%s. %s"
                            .formatted(directory, named ? "" : logs(directory) + ": ", cause.getMessage(), HELP),
                    cause);
        }
        return new StoreException("The store in " + directory + " cannot be opened: " + text(cause), cause);
    }

    static StoreException reading(RocksDBException cause) {
        return new StoreException("The store cannot be read: " + text(cause), cause);
    }

    /** For those whose write failed. */
    static String writing(Path directory, Throwable cause) {
        return "The write failed; whether it took effect is not known before the disk takes writes again: "
                + within(directory, cause);
    }

    /** For those who come after them. */
    static String stopped(Path directory, Throwable cause) {
        return "No writes are taken at present, because one failed: " + within(directory, cause)
                + ". Reads go on, and writes do by themselves when the cause has gone";
    }

    /** Clients are told what is wrong, and not where on the machine. */
    private static String within(Path directory, Throwable cause) {
        return text(cause).replace(directory + "/", "");
    }

    /** The names of the logs. */
    static String logs(Path directory) {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory, "*.log")) {
            return StreamSupport.stream(logs.spliterator(), false)
                    .map(log -> log.getFileName().toString())
                    .sorted()
                    .collect(Collectors.joining(" or "));
        } catch (IOException e) {
            return e.toString();
        }
    }

    static boolean is(RocksDBException e, Status.Code code) {
        return e.getStatus() != null && e.getStatus().getCode() == code;
    }

    private static String text(Throwable cause) {
        return cause instanceof RocksDBException e && e.getStatus() != null
                ? e.getStatus().getCodeString() + ": " + e.getMessage()
                : cause.toString();
    }
}
