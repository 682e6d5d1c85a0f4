package dev.orrery.store.rocksdb;

import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The sorted files that a store consists of, as its manifest names them. Each entry of that log is a change of the list:
 *
 * <pre>
 * entry  = (tag | what belongs to it)..             (numbers in groups of seven bits, the least first)
 * 06     = level | number                           (a file is no longer of use)
 * 67     = level | number | size | bytes | bytes | number | number | (tag | bytes).. | 01   (a new file)
 *            07 = checksum:4, big-endian  08 = the name of its kind
 * bytes  = length | byte..
 * </pre>
 *
 * RocksDB finds the checksums while it writes the files, but never compares them by itself. Blocks have checksums of their
 * own, which it does compare when it reads them, except that it reads over the list of deleted ranges when it is damaged.
 *
 * @param name of the manifest
 * @param files by their names
 */
record Manifest(String name, NavigableMap<String, SortedFile> files) {

    /**
     * A sorted file.
     *
     * @param checksum empty if an earlier version of the program wrote it
     */
    record SortedFile(long size, Optional<Integer> checksum) {}

    private static final String CHECKSUM_KIND = "FileChecksumCrc32c";

    // Tags of changes.
    private static final int COMPARATOR = 1;
    private static final int LOG_NUMBER = 2;
    private static final int NEXT_FILE_NUMBER = 3;
    private static final int LAST_SEQUENCE = 4;
    private static final int COMPACT_CURSOR = 5;
    private static final int DELETED_FILE = 6;
    private static final int PREVIOUS_LOG_NUMBER = 9;
    private static final int LOG_NUMBER_MIN = 10;
    private static final int NEW_FILE = 103;
    private static final int FAMILY = 200;
    private static final int FAMILY_ADDED = 201;
    private static final int FAMILY_DROPPED = 202;
    private static final int FAMILY_NUMBER_MAX = 203;
    private static final int IN_ATOMIC_GROUP = 300;
    private static final int IGNORABLE = 1 << 13; // All tags with this bit are followed by bytes.

    // Tags of what is known of a new file.
    private static final int END = 1;
    private static final int CHECKSUM = 7;
    private static final int KIND_OF_CHECKSUM = 8;

    Manifest {
        files = Collections.unmodifiableNavigableMap(new TreeMap<>(files));
    }

    /** Reads the manifest that is in use in a directory; throws if it is damaged. */
    static Manifest read(Path directory) throws IOException {
        Path current = directory.resolve("CURRENT");
        var name = new String(Files.readAllBytes(current), StandardCharsets.ISO_8859_1);
        Path file = directory.resolve(name.strip());
        if (!name.matches("MANIFEST-[0-9]+\n") || !Files.exists(file)) {
            throw Failures.damaged(directory, "CURRENT", "it names '" + name.strip() + "', which is not there");
        }
        var files = new TreeMap<String, SortedFile>();
        var log = new LogFile(file, Integer.MAX_VALUE);
        var findings = log.read((entry, end) -> {
            try {
                apply(ByteBuffer.wrap(entry), files);
            } catch (BufferUnderflowException e) {
                throw damaged(directory, file, end);
            }
        });
        if (findings.how() != LogFile.End.WHOLE) {
            // RocksDB drops what a crash left by halves at the end, but takes damage there for the same.
            boolean[] behind = new boolean[1];
            log.readBehind(findings.at(), entry -> behind[0] = true);
            if (findings.how() == LogFile.End.DAMAGED || behind[0]) {
                throw damaged(directory, file, findings.at());
            }
        }
        return new Manifest(name.strip(), files);
    }

    private static StoreException damaged(Path directory, Path file, long at) {
        return Failures.damaged(
                directory, file.getFileName().toString(), "the record at byte " + at + " is not what was written");
    }

    private static void apply(ByteBuffer entry, NavigableMap<String, SortedFile> files) {
        while (entry.hasRemaining()) {
            int tag = (int) number(entry);
            switch (tag) {
                case LOG_NUMBER,
                        PREVIOUS_LOG_NUMBER,
                        NEXT_FILE_NUMBER,
                        LOG_NUMBER_MIN,
                        LAST_SEQUENCE,
                        FAMILY,
                        FAMILY_NUMBER_MAX,
                        IN_ATOMIC_GROUP -> number(entry);
                case COMPARATOR, FAMILY_ADDED -> bytes(entry);
                case FAMILY_DROPPED -> {}
                case COMPACT_CURSOR -> {
                    number(entry);
                    bytes(entry);
                }
                case DELETED_FILE -> {
                    number(entry);
                    files.remove(name(number(entry)));
                }
                case NEW_FILE -> {
                    number(entry);
                    files.put(name(number(entry)), sortedFile(entry));
                }
                default -> {
                    if ((tag & IGNORABLE) == 0) {
                        throw new IllegalStateException("The manifest has a change of the unknown kind " + tag);
                    }
                    bytes(entry);
                }
            }
        }
    }

    private static SortedFile sortedFile(ByteBuffer entry) {
        long size = number(entry);
        bytes(entry);
        bytes(entry);
        number(entry);
        number(entry);
        Optional<Integer> checksum = Optional.empty();
        boolean known = false;
        for (int tag = (int) number(entry); tag != END; tag = (int) number(entry)) {
            var field = bytes(entry);
            if (tag == CHECKSUM && field.remaining() == Integer.BYTES) {
                checksum = Optional.of(field.getInt());
            } else if (tag == KIND_OF_CHECKSUM) {
                known = StandardCharsets.US_ASCII.decode(field).toString().equals(CHECKSUM_KIND);
            }
        }
        return new SortedFile(size, known ? checksum : Optional.empty());
    }

    private static String name(long number) {
        return "%06d.sst".formatted(number);
    }

    private static long number(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte group = in.get();
            value |= (long) (group & 0x7f) << shift;
            if (group >= 0) {
                return value;
            }
        }
        throw new BufferUnderflowException();
    }

    private static ByteBuffer bytes(ByteBuffer in) {
        int length = (int) number(in);
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        var bytes = in.slice(in.position(), length);
        in.position(in.position() + length);
        return bytes;
    }

    /** Throws unless a file is there and has the size it was written with. */
    void checkSize(Path directory, String file) throws IOException {
        Path path = directory.resolve(file);
        if (!Files.exists(path)) {
            throw Failures.damaged(directory, file, "it is missing, but " + name + " names it");
        }
        if (Files.size(path) != files.get(file).size()) {
            throw Failures.damaged(
                    directory,
                    file,
                    "it has %d bytes, but had %d when it was written"
                            .formatted(Files.size(path), files.get(file).size()));
        }
    }

    /** Throws unless the content of a file is what was written. Nothing happens if it is gone, or has no checksum. */
    void checkContent(Path directory, String file) throws IOException {
        var wanted = files.get(file).checksum();
        try {
            if (wanted.isPresent() && checksum(directory.resolve(file)) != wanted.get()) {
                throw Failures.damaged(directory, file, "its content is not what was written");
            }
        } catch (NoSuchFileException merged) {
            // It has become part of others in the meantime.
        }
    }

    static int checksum(Path file) throws IOException {
        var sum = new CRC32C();
        var buffer = new byte[1 << 20];
        try (var in = Files.newInputStream(file)) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                sum.update(buffer, 0, length);
            }
        }
        return (int) sum.getValue();
    }
}
