package dev.orrery.store.rocksdb;

import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of a store and their sizes, one {@code size name} a line, from its end to its next start.
 *
 * <p>RocksDB takes a manifest that has lost its end, or a log that is missing, for a younger database: it starts
 * without a word and deletes the files it does not know. An incomplete copy of a directory looks just like that.
 */
final class Inventory {

    private static final String FILE = "INVENTORY";

    private Inventory() {}

    /** To be called when RocksDB is closed and its files are at rest. */
    static void write(Path directory) throws IOException {
        var lines = new StringBuilder();
        sizes(directory)
                .forEach((name, size) ->
                        lines.append(size).append(' ').append(name).append('\n'));
        Path young = directory.resolve(FILE + ".new");
        Files.writeString(young, lines);
        sync(young);
        Files.move(young, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
    }

    /** To be called before RocksDB is opened. The inventory is gone afterwards, for files will change from then on. */
    static void check(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return; // A new directory, or the last end was no clean one.
        }
        var found = sizes(directory);
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            int blank = line.indexOf(' ');
            String name = line.substring(blank + 1);
            String is = found.containsKey(name) ? found.get(name) + " bytes" : "missing";
            String was = line.substring(0, blank) + " bytes";
            if (!is.equals(was)) {
                throw new StoreException(
                        "The store in %s is damaged or incomplete: %s is %s, but was %s when it was closed"
                                .formatted(directory, name, is, was));
            }
        }
        Files.delete(file);
        sync(directory);
    }

    private static Map<String, Long> sizes(Path directory) throws IOException {
        var sizes = new TreeMap<String, Long>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "{CURRENT,MANIFEST-*,*.log,*.sst}")) {
            for (Path file : files) {
                sizes.put(file.getFileName().toString(), Files.size(file));
            }
        }
        return sizes;
    }

    private static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
