package dev.orrery.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;

/**
 * A data folder that comes to be in one step: it is filled beside its place, under another name, and moved there when it
 * is whole. Whatever ends the program before leaves that other folder, which the next attempt removes.
 */
final class NewFolder implements AutoCloseable {
    private final Path place;
    private final Path path;
    private final Path scratch;

    private NewFolder(Path place) {
        this.place = place;
        this.path = beside(place, ".incomplete");
        this.scratch = beside(place, ".scratch");
    }

    /** Throws if there is something already. */
    static NewFolder at(Path place) {
        var folder = new NewFolder(place.toAbsolutePath().normalize());
        try {
            if (Files.exists(folder.place) && !isEmpty(folder.place)) {
                throw new UserError("There is something in " + place + " already. Name a folder that is new.");
            }
            delete(folder.path);
            delete(folder.scratch);
            Files.createDirectories(folder.path);
            PrivateFolder.prepare(folder.path);
            return folder;
        } catch (IOException problem) {
            throw new UserError("The folder " + place + " cannot be made: " + problem, problem);
        }
    }

    /** Where to write. */
    Path path() {
        return path;
    }

    /** A folder beside it that is not there yet, for what is needed only meanwhile. */
    Path scratch() {
        return scratch;
    }

    /** Everything is in it, and nobody has it open. */
    void complete() {
        try {
            Files.deleteIfExists(place); // It may be there if it is empty.
            sync(path);
            Files.move(path, place, StandardCopyOption.ATOMIC_MOVE);
            sync(place.getParent());
        } catch (IOException problem) {
            throw new UserError("The folder " + place + " cannot be made: " + problem, problem);
        }
    }

    @Override
    public void close() {
        try {
            delete(scratch);
            delete(path);
        } catch (IOException problem) {
            throw new UserError("What is left of an attempt cannot be removed: " + problem, problem);
        }
    }

    private static Path beside(Path place, String suffix) {
        return place.resolveSibling(place.getFileName() + suffix);
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (var contents = Files.newDirectoryStream(folder)) {
            return !contents.iterator().hasNext();
        }
    }

    static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static void delete(Path folder) throws IOException {
        try (var contents = Files.walk(folder)) {
            for (var path : contents.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (NoSuchFileException _) {
            // Nothing was left.
        }
    }
}
