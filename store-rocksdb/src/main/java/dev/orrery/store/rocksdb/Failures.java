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

    private Failures() {}

    static StoreException opening(Path directory, RocksDBException cause) {
        if (is(cause, Status.Code.IOError) && cause.getMessage().contains("LOCK")) {
            return new StoreException(
                    "Another Orrery is using " + directory + ": stop it, or choose another directory", cause);
        }
        if (is(cause, Status.Code.Corruption) && !namesFile(directory, cause)) {
            return new StoreException(
                    "The store in %s is damaged: a record of its log (%s) is not as it was written (%s); restore it from a copy"
                            .formatted(directory, logs(directory), cause.getMessage()),
                    cause);
        }
        return new StoreException("The store in " + directory + " cannot be opened: " + text(cause), cause);
    }

    static StoreException reading(RocksDBException cause) {
        return new StoreException("The store cannot be read: " + text(cause), cause);
    }

    static StoreException writing(Throwable cause) {
        return new StoreException(
                "The store takes no more writes until it is started again, because one failed: " + text(cause), cause);
    }

    // RocksDB names the file in all cases but this: damage to the log.
    private static boolean namesFile(Path directory, RocksDBException cause) {
        return cause.getMessage().contains(directory.toString())
                || cause.getMessage().contains("CURRENT");
    }

    private static String logs(Path directory) {
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
