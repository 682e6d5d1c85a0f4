package dev.orrery.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that only its owner can look into: it holds every item, and the key of the certificate. The launcher sees to
 * it that files made later are the owner's alone as well.
 */
final class PrivateFolder {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateFolder.class);

    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    private PrivateFolder() {}

    /** Makes the folder, or closes one that others can look into, with all that lies in it. */
    static void prepare(Path folder) {
        try {
            if (!Files.exists(folder)) {
                Files.createDirectories(folder);
            }
            if (isPosix(folder) && !Files.getPosixFilePermissions(folder).equals(FOLDER)) {
                close(folder);
            }
        } catch (IOException problem) {
            // A volume may belong to somebody else; whether the store can work there is for the store to say.
            LOG.warn("Others may be able to read {}: its rights cannot be changed ({})", folder, problem.toString());
        }
    }

    private static boolean isPosix(Path folder) throws IOException {
        return Files.getFileStore(folder).supportsFileAttributeView("posix");
    }

    private static void close(Path folder) throws IOException {
        // The folder itself first: from then on nobody else gets at what is in it.
        Files.setPosixFilePermissions(folder, FOLDER);
        try (var contents = Files.walk(folder)) {
            for (var path : (Iterable<Path>) contents.skip(1)::iterator) {
                if (!Files.isSymbolicLink(path)) {
                    Files.setPosixFilePermissions(path, Files.isDirectory(path) ? FOLDER : FILE);
                }
            }
        }
    }
}
