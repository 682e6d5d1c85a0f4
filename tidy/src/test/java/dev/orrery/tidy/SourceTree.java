package dev.orrery.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Every text file of this repository that a person wrote. */
final class SourceTree {
    /** Made by builds, editors and running servers; a source archive has no git that could tell. */
    private static final Set<String> NOT_WRITTEN =
            Set.of("target", "node_modules", "orrery-data", ".git", ".idea", ".vscode", ".settings");

    /** A file and its path from the root, always with forward slashes. */
    record SourceFile(Path location, String path, String text) {
        /** The folder of its module; those of examples lie one level deeper. */
        String module() {
            int slash = path.indexOf('/', path.startsWith("examples/") ? "examples/".length() : 0);
            return slash < 0 ? "" : path.substring(0, slash);
        }

        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        boolean isJava() {
            return path.endsWith(".java");
        }

        boolean isMainJava() {
            return isJava() && path.startsWith(module() + "/src/main/");
        }

        boolean isTestJava() {
            return isJava() && path.startsWith(module() + "/src/test/");
        }
    }

    private SourceTree() {}

    static List<SourceFile> read() {
        Path root = root();
        var files = new ArrayList<SourceFile>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return isWritten(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (attributes.isRegularFile() && isWritten(file)) {
                        readText(root, file, files);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return List.copyOf(files);
    }

    private static boolean isWritten(Path path) {
        return !NOT_WRITTEN.contains(path.getFileName().toString());
    }

    private static void readText(Path root, Path file, List<SourceFile> files) throws IOException {
        String path = root.relativize(file).toString().replace('\\', '/');
        try {
            files.add(new SourceFile(file, path, Files.readString(file)));
        } catch (CharacterCodingException _) {
            // Not text, so no rule speaks about it.
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("tidy/pom.xml"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("not inside the repository");
            }
        }
        return folder;
    }
}
