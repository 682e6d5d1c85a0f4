package dev.orrery.server.backup;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;

/**
 * A folder with any number of backups, which share the files that they have in common:
 *
 * <pre>
 * 2026-11-18T09-00-00Z.backup    the list of one
 * files/checksum-size-name       a file of one or several
 * </pre>
 *
 * A backup is there when its list is, and that comes last and in one step. Whatever ends the program before leaves files
 * that no list names; the next backup uses or removes them.
 */
public final class BackupFolder {
    private static final String LIST_SUFFIX = ".backup";
    private static final String PART_SUFFIX = ".part";
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path folder;
    private final Path files;

    public BackupFolder(Path folder) {
        this.folder = folder;
        this.files = folder.resolve("files");
    }

    /** All backups by their names, the oldest first. */
    public NavigableMap<String, BackupList> lists() throws IOException {
        var lists = new TreeMap<String, BackupList>();
        if (Files.isDirectory(folder)) {
            try (var found = Files.newDirectoryStream(folder, "*" + LIST_SUFFIX)) {
                for (var file : found) {
                    var name = file.getFileName().toString();
                    name = name.substring(0, name.length() - LIST_SUFFIX.length());
                    lists.put(name, BackupList.decode(name, Files.readString(file)));
                }
            }
        }
        return lists;
    }

    /** What one more backup took. */
    public record Added(String name, int newFiles, long newBytes) {}

    /**
     * Brings a backup here: reads the files that are not here yet, and compares all with what they must be.
     *
     * @param progress is told of bytes done and bytes in all
     */
    public Added add(BackupSource source, BiConsumer<Long, Long> progress) throws IOException, InterruptedException {
        Files.createDirectories(files);
        var list = source.list();
        long done = 0;
        int newFiles = 0;
        long newBytes = 0;
        for (var file : list.files()) {
            BackupList.checked(file);
            if (!isWhole(file)) {
                bring(source, file, done, list.bytes(), progress);
                newFiles++;
                newBytes += file.size();
            }
            done += file.size();
            progress.accept(done, list.bytes());
        }
        sync(files);
        var name = list.time().toString().replace(':', '-');
        write(folder.resolve(name + LIST_SUFFIX), list.encode());
        return new Added(name, newFiles, newBytes);
    }

    private boolean isWhole(BackupFile file) throws IOException {
        var stored = files.resolve(file.storedName());
        return Files.exists(stored) && Files.size(stored) == file.size() && checksum(stored) == file.checksum();
    }

    private void bring(BackupSource source, BackupFile file, long before, long all, BiConsumer<Long, Long> progress)
            throws IOException, InterruptedException {
        var part = files.resolve(file.storedName() + PART_SUFFIX);
        var sum = new CRC32C();
        try (var out = Files.newOutputStream(part)) {
            for (long from = 0; from < file.size(); ) {
                byte[] piece = source.read(file, from);
                if (piece.length == 0) {
                    throw new BackupException("The server has less of " + file.name() + " than it said.");
                }
                out.write(piece);
                sum.update(piece);
                from += piece.length;
                progress.accept(before + from, all);
            }
        }
        if ((int) sum.getValue() != file.checksum()) {
            throw new BackupException("The file " + file.name() + " of the server is damaged, or was on the way. Try"
                    + " again; if it stays so, stop the server and look with: orrery check");
        }
        sync(part);
        Files.move(part, files.resolve(file.storedName()), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Compares all files of a backup with what they must be; what is wrong, in words. */
    public List<String> verify(BackupList list, BiConsumer<Long, Long> progress) throws IOException {
        var wrong = new ArrayList<String>();
        long done = 0;
        for (var file : list.files()) {
            if (!isWhole(file)) {
                wrong.add(file.storedName()
                        + (Files.exists(files.resolve(file.storedName())) ? " is damaged" : " is missing"));
            }
            done += file.size();
            progress.accept(done, list.bytes());
        }
        return wrong;
    }

    /** Writes the files of a backup, under their own names, into a folder, and makes sure that they are what they must be. */
    public void extract(BackupList list, Path target, BiConsumer<Long, Long> progress) throws IOException {
        long done = 0;
        for (var file : list.files()) {
            var to = target.resolve(file.name());
            Files.copy(files.resolve(file.storedName()), to);
            if (Files.size(to) != file.size() || checksum(to) != file.checksum()) {
                throw new BackupException("The file " + file.storedName() + " of the backup is damaged.");
            }
            sync(to);
            done += file.size();
            progress.accept(done, list.bytes());
        }
        sync(target);
    }

    /** Removes all but the latest backups, and the files that none of them has. */
    public void keepLatest(int count) throws IOException {
        var lists = lists();
        while (lists.size() > count) {
            Files.delete(folder.resolve(lists.pollFirstEntry().getKey() + LIST_SUFFIX));
        }
        sync(folder);
        var used = new HashSet<String>();
        lists.values().forEach(list -> list.files().forEach(file -> used.add(file.storedName())));
        try (var found = Files.newDirectoryStream(files)) {
            for (var file : found) {
                if (!used.contains(file.getFileName().toString())) {
                    Files.delete(file);
                }
            }
        }
    }

    private void write(Path file, String text) throws IOException {
        var part = file.resolveSibling(file.getFileName() + PART_SUFFIX);
        Files.write(part, text.getBytes(StandardCharsets.UTF_8));
        sync(part);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        sync(folder);
    }

    private static int checksum(Path file) throws IOException {
        var sum = new CRC32C();
        var buffer = new byte[BUFFER_BYTES];
        try (var in = Files.newInputStream(file)) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                sum.update(buffer, 0, length);
            }
        }
        return (int) sum.getValue();
    }

    private static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
