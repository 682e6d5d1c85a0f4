package dev.orrery.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An open store with one open partition, and short words to write tests with. */
public abstract class StoreFixture {

    static final PartitionId SEVEN = new PartitionId(7);
    static final PartitionId EIGHT = new PartitionId(8);

    @TempDir
    protected Path directory;

    private final AtomicLong commitIds = new AtomicLong();
    Store store;
    PartitionStore partition;

    /** Opens the store of this directory, with all that an earlier one left there before it was closed. */
    protected abstract Store open(Path directory);

    @BeforeEach
    void openStore() {
        store = open(directory);
        partition = store.open(SEVEN, 1);
    }

    @AfterEach
    void closeStore() {
        partition.close();
        store.close();
    }

    final void reopen() {
        partition.close();
        store.close();
        store = open(directory);
        partition = store.open(SEVEN, 1);
    }

    final void commit(Mutation... mutations) {
        long lsn = partition.lsn();
        assertThat(partition.commit(new Commit(id(), lsn, lsn + 1, List.of(mutations))))
                .isEqualTo(CommitResult.COMMITTED);
    }

    final CommitId id() {
        return new CommitId(1, commitIds.incrementAndGet());
    }

    final List<byte[]> keys(KeyRange range, Direction direction) {
        var keys = new ArrayList<byte[]>();
        try (var snapshot = partition.snapshot();
                var cursor = snapshot.scan(range, direction)) {
            while (cursor.next()) {
                keys.add(cursor.key());
            }
        }
        return keys;
    }

    static List<String> rows(PartitionStore partition, Direction direction) {
        try (var snapshot = partition.snapshot()) {
            return rows(snapshot, everything(), direction);
        }
    }

    static List<String> rows(Snapshot snapshot, KeyRange range, Direction direction) {
        var rows = new ArrayList<String>();
        try (var cursor = snapshot.scan(range, direction)) {
            for (var row = next(cursor); row != null; row = next(cursor)) {
                rows.add(row);
            }
        }
        return rows;
    }

    static String seek(Cursor cursor, String name) {
        cursor.seek(key(name));
        return next(cursor);
    }

    static String next(Cursor cursor) {
        return cursor.next()
                ? new String(cursor.key(), UTF_8).substring(1) + "=" + new String(cursor.value(), UTF_8)
                : null;
    }

    static void together(List<Callable<Void>> tasks) throws Exception {
        try (var threads = Executors.newFixedThreadPool(tasks.size())) {
            for (Future<Void> task : threads.invokeAll(tasks)) {
                task.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** All keys that the helpers below make: they share one key space. */
    static KeyRange everything() {
        return KeyRange.prefix(key(""));
    }

    static KeyRange range(String from, String to) {
        return new KeyRange(key(from), key(to));
    }

    static Mutation put(String name, String value) {
        return new Mutation.Put(key(name), bytes(value));
    }

    static Mutation delete(String name) {
        return new Mutation.Delete(key(name));
    }

    static byte[] key(String name) {
        return bytes("K" + name);
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
