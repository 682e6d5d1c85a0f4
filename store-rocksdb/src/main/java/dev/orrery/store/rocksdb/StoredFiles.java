package dev.orrery.store.rocksdb;

import dev.orrery.store.StoreException;
import dev.orrery.store.rocksdb.RocksDbStore.FileSum;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Compares all files of a store at rest with what was written down of them. It changes nothing. */
public final class StoredFiles {

    private StoredFiles() {}

    /**
     * What is wrong, file by file, in words; nothing when all is well.
     *
     * @param progress is told of bytes compared and bytes in all
     * @throws StoreException when there is no store, or one that is in use
     */
    public static List<String> check(Path directory, BiConsumer<Long, Long> progress) {
        if (!Files.exists(directory.resolve("CURRENT")) && !Files.exists(directory.resolve("IDENTITY"))) {
            throw new StoreException("There is no store in " + directory);
        }
        try (var _ = new DirectoryLock(directory)) {
            var wrong = new ArrayList<String>();
            attempt(wrong, () -> {
                if (!Inventory.check(directory)) {
                    LogCheck.look(directory, Watermark.read(directory));
                }
            });
            attempt(wrong, () -> checkSorted(directory, Manifest.read(directory), wrong, progress));
            return wrong;
        } catch (IOException e) {
            throw Failures.unusable(directory, e);
        }
    }

    /** All files of a copy that nobody writes to. */
    static List<FileSum> sums(Path directory) throws IOException {
        var sums = new ArrayList<FileSum>();
        var manifest = Manifest.read(directory);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                var sorted = manifest.files().get(name);
                var known = sorted == null ? Optional.<Integer>empty() : sorted.checksum();
                sums.add(new FileSum(
                        name,
                        sorted == null ? Files.size(file) : sorted.size(),
                        known.isPresent() ? known.get() : Manifest.checksum(file)));
            }
        }
        return sums;
    }

    private static void checkSorted(
            Path directory, Manifest manifest, List<String> wrong, BiConsumer<Long, Long> progress) {
        long all = manifest.files().values().stream()
                .mapToLong(Manifest.SortedFile::size)
                .sum();
        long done = 0;
        for (var file : manifest.files().entrySet()) {
            attempt(wrong, () -> {
                manifest.checkSize(directory, file.getKey());
                manifest.checkContent(directory, file.getKey());
            });
            done += file.getValue().size();
            progress.accept(done, all);
        }
    }

    private interface Look {
        void run() throws IOException;
    }

    private static void attempt(List<String> wrong, Look look) {
        try {
            look.run();
        } catch (StoreException damage) {
            wrong.add(damage.getMessage());
        } catch (IOException unreadable) {
            wrong.add(unreadable.toString());
        }
    }
}
