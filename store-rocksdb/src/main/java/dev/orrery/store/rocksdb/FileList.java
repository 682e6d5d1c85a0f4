package dev.orrery.store.rocksdb;

import dev.orrery.store.StoreException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;

/**
 * The list of its files that a damaged store is read by. When it is lost, or names files that cannot even be opened, which
 * keeps RocksDB from every scan, a new one is made from what the files that are left tell of themselves. What such a file
 * said last of a row is gone then, and an older version takes its place: whoever reads it has been told of the file.
 */
final class FileList {
    private static final String SORTED = "*.sst";
    private static final String LOGS = "*.log";

    private FileList() {}

    /** Whether there is one, and all that it names can be opened. */
    static boolean isUsable(Path directory) {
        RocksDB.loadLibrary();
        try (var options = new Options();
                var reader = new SstFileReader(options)) {
            for (var file : Manifest.read(directory).files().keySet()) {
                reader.open(directory.resolve(file).toString());
            }
            return true;
        } catch (IOException | StoreException | IllegalStateException | RocksDBException _) {
            return false;
        }
    }

    /** By RocksDB's own repair, which its Java API does not have. It works on a copy: the store stays as it is. */
    static void makeAnew(Path directory, Path scratch) {
        try {
            Files.createDirectory(scratch);
            bring(directory, scratch, SORTED);
            bring(directory, scratch, LOGS);
        } catch (IOException e) {
            throw Failures.unusable(scratch, e);
        }
        repair(scratch);
        addFamilies(scratch);
    }

    /** A family without a file is not known from the files. */
    private static void addFamilies(Path directory) {
        try (var options = new DBOptions().setCreateMissingColumnFamilies(true);
                var family = new ColumnFamilyOptions()) {
            var families = Stream.of(Families.MAIN, Families.SEPARATE)
                    .map(name -> new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), family))
                    .toList();
            RocksDB.open(options, directory.toString(), families, new ArrayList<>())
                    .close();
        } catch (RocksDBException e) {
            throw Failures.opening(directory, e);
        }
    }

    private static void bring(Path directory, Path scratch, String pattern) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
            for (Path file : files) {
                Files.copy(file, scratch.resolve(file.getFileName()));
            }
        }
    }

    private static void repair(Path directory) {
        try (var arena = Arena.ofConfined()) {
            var pointer = ValueLayout.ADDRESS;
            var options = (MemorySegment) call("rocksdb_options_create", FunctionDescriptor.of(pointer))
                    .invokeExact();
            var error = arena.allocate(pointer);
            call("rocksdb_repair_db", FunctionDescriptor.ofVoid(pointer, pointer, pointer))
                    .invokeExact(options, arena.allocateFrom(directory.toString()), error);
            call("rocksdb_options_destroy", FunctionDescriptor.ofVoid(pointer)).invokeExact(options);
            var said = error.get(pointer, 0);
            if (said.address() != 0) {
                throw new StoreException("Nothing of the store can be read: " + text(said));
            }
        } catch (StoreException refused) {
            throw refused;
        } catch (Throwable unexpected) {
            throw new IllegalStateException("RocksDB could not be asked to repair", unexpected);
        }
    }

    @SuppressWarnings("restricted") // The text is as long as RocksDB says, by the zero behind it.
    private static String text(MemorySegment message) {
        return message.reinterpret(Long.MAX_VALUE).getString(0);
    }

    @SuppressWarnings("restricted") // The library is loaded already, and these are its public functions.
    private static MethodHandle call(String name, FunctionDescriptor types) {
        return Linker.nativeLinker().downcallHandle(SymbolLookup.loaderLookup().findOrThrow(name), types);
    }
}
