package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Seed;
import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whichever bit of a store at rest is flipped, and wherever one of its files is cut off: it is refused, and names the
 * file, or all that was acknowledged is there. With {@code -Ddamage.whole=true} every bit of the last 64 KB of each log is
 * flipped, one bit in each KB of everything else, and every file is cut at every boundary; otherwise a random choice.
 */
class EveryBitTest {

    private static final boolean WHOLE = Boolean.getBoolean("damage.whole");
    private static final int FLIPS_OF_LOG = 200;
    private static final int FLIPS_OF_OTHERS = 10;
    private static final int CUTS = 12;
    private static final int TAIL_BYTES = 64 * 1024;

    private static final PartitionId KEPT = new PartitionId(1);
    private static final PartitionId DROPPED = new PartitionId(2);
    private static final int COMMITS = 180;

    private final ScheduledExecutorService background = Executors.newSingleThreadScheduledExecutor();
    private final SplittableRandom random = Seed.random();
    private Path pristine;
    private Path directory;

    @TempDir
    private Path base;

    @BeforeEach
    void prepare() {
        pristine = base.resolve("pristine");
        directory = base.resolve("damaged");
    }

    @AfterEach
    void stop() {
        background.shutdownNow();
    }

    @Test
    void ofAStoreThatWasClosed() throws IOException {
        try (var store = open(pristine)) {
            fill(store);
        }
        damageAll(true);
    }

    @Test
    void ofAStoreThatWasKilled() throws IOException {
        var running = base.resolve("running");
        try (var store = open(running)) {
            fill(store);
            copy(running, pristine);
        }
        damageAll(false);
    }

    /** Sorted files with a dropped partition in them, and a log of more than the last 64 KB. */
    private void fill(RocksDbStore store) {
        var dropped = store.open(DROPPED, 1);
        assertThat(dropped.commit(Committer.commit(1, 100))).isEqualTo(CommitResult.COMMITTED);
        var kept = store.open(KEPT, 1);
        for (int i = 0; i < COMMITS; i++) {
            if (i == COMMITS / 6) {
                store.checkpoint(base.resolve("first"));
                store.drop(DROPPED);
            }
            if (i == COMMITS / 3) {
                store.checkpoint(base.resolve("second"));
            }
            var mutations = List.<Mutation>of(
                    new Mutation.Put(Committer.key('K', i), value(i)),
                    new Mutation.Put(Committer.key('S', i), value(i)));
            assertThat(kept.commit(new Commit(new CommitId(1, i), i, i + 1, mutations)))
                    .isEqualTo(CommitResult.COMMITTED);
        }
    }

    private static byte[] value(int i) {
        byte[] value = new byte[300 + 7 * i % 1_000];
        new SplittableRandom(i).nextBytes(value); // So that values are not compressed to nothing.
        return value;
    }

    private void damageAll(boolean closed) throws IOException {
        reset();
        var counts = new TreeMap<String, Integer>();
        for (Path file : files(pristine)) {
            String name = file.getFileName().toString();
            byte[] whole = Files.readAllBytes(file);
            for (long bit : flips(name, whole.length)) {
                byte[] flipped = whole.clone();
                flipped[(int) (bit / 8)] ^= (byte) (1 << bit % 8);
                attempt(name, whole, flipped, "bit " + bit, closed, counts);
            }
            for (int length : cuts(file, whole.length)) {
                attempt(name, whole, Arrays.copyOf(whole, length), "cut to " + length, closed, counts);
            }
        }
        System.out.println((closed ? "closed: " : "killed: ") + counts);
        assertThat(counts).containsKey(".log flipped, refused").containsKey(".log cut, refused");
    }

    /** Each file that the store itself is made of. */
    private static List<Path> files(Path directory) throws IOException {
        var found = new ArrayList<Path>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (Files.size(file) > 0 && !file.getFileName().toString().startsWith("LOG")) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private long[] flips(String name, int bytes) {
        boolean log = name.endsWith(".log");
        long tail = log ? Math.max(0, bytes - TAIL_BYTES) : bytes;
        if (WHOLE) {
            return LongStream.concat(
                            LongStream.range(0, (tail + 1023) / 1024)
                                    .map(kilobyte -> kilobyte * 8192 + random.nextInt(8192))
                                    .filter(bit -> bit < tail * 8),
                            LongStream.range(tail * 8, bytes * 8L))
                    .toArray();
        }
        return LongStream.range(0, log ? FLIPS_OF_LOG : FLIPS_OF_OTHERS)
                .map(i -> log && i % 8 > 0 ? random.nextLong(tail * 8, bytes * 8L) : random.nextLong(bytes * 8L))
                .toArray();
    }

    private int[] cuts(Path file, int bytes) throws IOException {
        var boundaries = new ArrayList<Integer>(List.of(0, bytes - 1));
        String name = file.getFileName().toString();
        if (name.endsWith(".log") || name.startsWith("MANIFEST")) {
            new LogFile(file, 0).read((head, end) -> boundaries.addAll(List.of((int) end, (int) end - 1)));
        }
        int step = bytes > 4096 ? 1024 : 16;
        IntStream.range(1, (bytes + step - 1) / step).forEach(i -> boundaries.add(i * step));
        boundaries.removeIf(length -> length >= bytes);
        while (!WHOLE && boundaries.size() > CUTS) {
            boundaries.remove(/* index */ random.nextInt(boundaries.size()));
        }
        return boundaries.stream().distinct().mapToInt(Integer::intValue).toArray();
    }

    private void attempt(
            String name, byte[] whole, byte[] damaged, String what, boolean closed, Map<String, Integer> counts)
            throws IOException {
        Path file = directory.resolve(name);
        Files.write(file, damaged);
        String end;
        try (var store = open(directory)) {
            end = "complete";
            assertComplete(store, name + " " + what);
        } catch (StoreException refused) {
            end = "refused";
            assertThat(refused.getMessage()).as(name + " " + what).contains(directory.toString());
            if (closed) {
                assertThat(refused.getMessage()).as(what).contains(": " + name + ":");
            }
        }
        if (closed) {
            // Nothing is harmed by these, and nothing is known of them.
            assertThat(end).as(name + " " + what).isEqualTo(name.equals("IN-USE") ? "complete" : "refused");
        }
        String kind = name.replaceAll("^[0-9]+|-?[0-9]+$", "") + (what.startsWith("bit") ? " flipped, " : " cut, ");
        counts.merge(kind + end, 1, Integer::sum);
        Files.write(file, whole);
        if (end.equals("complete")) {
            reset();
        } else if (!sizes(directory).equals(sizes(pristine))) {
            counts.merge(kind + "refused only by RocksDB", 1, Integer::sum);
            reset();
        }
    }

    private static void assertComplete(RocksDbStore store, String what) {
        assertThat(store.partitions()).as(what).containsExactly(KEPT);
        var partition = store.open(KEPT, 1);
        assertThat(partition.lsn()).as(what).isEqualTo(COMMITS);
        for (int i = 0; i < COMMITS; i++) {
            assertThat(partition.get(Committer.key('K', i))).as(what).isEqualTo(value(i));
            assertThat(partition.get(Committer.key('S', i))).as(what).isEqualTo(value(i));
        }
    }

    private static Map<String, Long> sizes(Path directory) throws IOException {
        var sizes = new TreeMap<String, Long>();
        for (Path file : files(directory)) {
            sizes.put(file.getFileName().toString(), Files.size(file));
        }
        return sizes;
    }

    /** The files as they were before any damage. */
    private void reset() throws IOException {
        if (Files.exists(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
        }
        copy(pristine, directory);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
            for (Path file : files) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private RocksDbStore open(Path path) {
        return new RocksDbStore(path, Committer.SETTINGS, background);
    }
}
