package dev.orrery.store.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The files of a store, their sizes and checksums, from its end to its next start:
 *
 * <pre>
 * orrery inventory 2
 * checksum size name         of each file, checksum and size in hexadecimal
 * checksum                   of all lines before
 * </pre>
 *
 * <p>RocksDB takes a manifest that has lost its end, or a log that is missing, for a younger database: it starts without a
 * word and deletes the files it does not know. An incomplete copy of a directory looks just like that. The sorted files
 * are not in it, for the {@link Manifest} says what they must be like.
 */
final class Inventory {

    private static final String FILE = "INVENTORY";
    private static final String TITLE = "orrery inventory 2";
    private static final String ALL = "{CURRENT,IDENTITY,MANIFEST-*,OPTIONS-*,*.log," + Watermark.FILE + "}";
    private static final String READ_BY_ROCKS = "{MANIFEST-*,*.log}";

    private record Entry(long size, Optional<Integer> checksum) {}

    private Inventory() {}

    /** To be called when RocksDB is closed and its files are at rest. */
    static void write(Path directory) throws IOException {
        var text = new StringBuilder(TITLE).append('\n');
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, ALL)) {
            for (Path file : files) {
                text.append(hex(Manifest.checksum(file)))
                        .append(' ')
                        .append(Long.toHexString(Files.size(file)))
                        .append(' ')
                        .append(file.getFileName())
                        .append('\n');
            }
        }
        text.append(hex(checksum(text.toString()))).append('\n');
        Path young = directory.resolve(FILE + ".new");
        Files.writeString(young, text);
        sync(young);
        Files.move(young, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
    }

    /** Whether there is one: the store ended in order, and nothing has changed since. Throws if something has. */
    static boolean check(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return false; // A new directory, or the last end was no clean one.
        }
        var entries = read(directory, new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        for (var entry : entries.entrySet()) {
            check(directory, entry.getKey(), entry.getValue());
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, READ_BY_ROCKS)) {
            for (Path other : files) {
                String name = other.getFileName().toString();
                if (!entries.containsKey(name)) {
                    throw Failures.damaged(directory, name, "it was not there when the store was closed");
                }
            }
        }
        return true;
    }

    /** To be called before RocksDB is opened, for files will change from then on. */
    static void delete(Path directory) throws IOException {
        if (Files.deleteIfExists(directory.resolve(FILE))) {
            sync(directory);
        }
    }

    private static void check(Path directory, String name, Entry entry) throws IOException {
        Path file = directory.resolve(name);
        if (!Files.exists(file)) {
            throw Failures.damaged(directory, name, "it is missing, but was there when the store was closed");
        }
        if (Files.size(file) != entry.size()) {
            throw Failures.damaged(
                    directory,
                    name,
                    "it has %d bytes, but had %d when the store was closed".formatted(Files.size(file), entry.size()));
        }
        if (entry.checksum().isPresent()
                && Manifest.checksum(file) != entry.checksum().get()) {
            throw Failures.damaged(directory, name, "its content is not what it was when the store was closed");
        }
    }

    private static Map<String, Entry> read(Path directory, String text) {
        // Decimal sizes and names only, as written before there were checksums.
        if (!text.isEmpty() && text.lines().allMatch(line -> line.matches("[0-9]+ [A-Z0-9.a-z-]+"))) {
            return entries(text, 0, 10);
        }
        int last = text.lastIndexOf('\n', text.length() - 2) + 1;
        var lines = text.substring(0, last);
        if (!lines.startsWith(TITLE + "\n") || !text.substring(last).equals(hex(checksum(lines)) + "\n")) {
            throw Failures.damaged(directory, FILE, "it is not what was written");
        }
        return entries(lines.substring(TITLE.length() + 1), 1, 16);
    }

    private static Map<String, Entry> entries(String lines, int sizeAt, int radix) {
        var entries = new TreeMap<String, Entry>();
        lines.lines().forEach(line -> {
            var words = line.split(" ", sizeAt + 2);
            entries.put(
                    words[sizeAt + 1],
                    new Entry(
                            Long.parseLong(words[sizeAt], radix),
                            sizeAt == 0 ? Optional.empty() : Optional.of(Integer.parseUnsignedInt(words[0], 16))));
        });
        return entries;
    }

    private static int checksum(String text) {
        var sum = new CRC32C();
        sum.update(text.getBytes(StandardCharsets.ISO_8859_1));
        return (int) sum.getValue();
    }

    private static String hex(int checksum) {
        return "%08x".formatted(checksum);
    }

    static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
