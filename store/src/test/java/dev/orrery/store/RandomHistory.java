package dev.orrery.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Does to a store and to sorted maps the same random things, and compares all that can be read. */
final class RandomHistory {

    private static final int PARTITIONS = 3;

    private final RandomGenerator random;
    private final Function<Path, Store> open;
    private final Path directory;
    private final Map<PartitionId, Model> models = new TreeMap<>();
    private final List<Held> snapshots = new ArrayList<>();

    private Store store;

    /** A partition as it should be. */
    private static final class Model {
        PartitionStore partition;
        long epoch = 1;
        long lsn;
        NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    }

    /** A snapshot and what it should show. */
    private record Held(Snapshot snapshot, long lsn, NavigableMap<byte[], byte[]> rows) {}

    RandomHistory(RandomGenerator random, Function<Path, Store> open, Path directory, Store store) {
        this.random = random;
        this.open = open;
        this.directory = directory;
        this.store = store;
    }

    Store store() {
        return store;
    }

    void run(int steps) {
        try {
            for (int step = 0; step < steps; step++) {
                step();
            }
            snapshots.forEach(this::compare);
        } finally {
            snapshots.forEach(held -> held.snapshot.close());
            models.values().forEach(model -> model.partition.close());
        }
    }

    private void step() {
        var id = new PartitionId(40 + random.nextInt(PARTITIONS));
        var model = models.computeIfAbsent(id, this::opened);
        switch (random.nextInt(100)) {
            case 0 -> reopen();
            case 1 -> drop(id);
            case 2 -> {
                model.epoch++;
                model.partition.close();
                model.partition = store.open(id, model.epoch);
            }
            case 3, 4, 5, 6 -> letGo();
            case 7, 8, 9, 10, 11, 12, 13, 14 ->
                snapshots.add(new Held(model.partition.snapshot(), model.lsn, copy(model.rows)));
            default -> {
                if (random.nextBoolean()) {
                    commit(model);
                } else {
                    read(model);
                }
            }
        }
    }

    private Model opened(PartitionId id) {
        var model = new Model();
        model.partition = store.open(id, model.epoch);
        assertThat(model.partition.lsn()).isZero();
        return model;
    }

    private void reopen() {
        snapshots.forEach(held -> held.snapshot.close());
        snapshots.clear();
        models.values().forEach(model -> model.partition.close());
        store.close();
        store = open.apply(directory);
        models.forEach((id, model) -> {
            model.partition = store.open(id, model.epoch);
            assertThat(model.partition.lsn()).isEqualTo(model.lsn);
        });
    }

    private void drop(PartitionId id) {
        models.remove(id).partition.close();
        store.drop(id);
        assertThat(store.partitions()).doesNotContain(id).containsAll(models.keySet());
    }

    private void letGo() {
        if (!snapshots.isEmpty()) {
            var held = snapshots.remove(random.nextInt(snapshots.size()));
            compare(held);
            held.snapshot.close();
        }
    }

    private void commit(Model model) {
        var mutations = new ArrayList<Mutation>();
        var rows = copy(model.rows);
        for (int i = random.nextInt(6); i >= 0; i--) {
            switch (random.nextInt(8)) {
                case 0 -> {
                    var range = range();
                    mutations.add(new Mutation.DeleteRange(range));
                    rows.subMap(range.from(), range.to()).clear();
                }
                case 1, 2 -> {
                    byte[] key = key();
                    mutations.add(new Mutation.Delete(key));
                    rows.remove(key);
                }
                default -> {
                    byte[] key = key();
                    byte[] value = new byte[random.nextInt(50)];
                    random.nextBytes(value);
                    mutations.add(new Mutation.Put(key, value));
                    rows.put(key, value);
                }
            }
        }
        boolean fenced = random.nextInt(10) == 0;
        long expected = fenced ? model.lsn + 1 : model.lsn;
        long next = expected + 1 + random.nextInt(3);
        var id = new CommitId(random.nextLong(), random.nextLong());
        var result = model.partition.commit(new Commit(id, expected, next, mutations));
        assertThat(result).isEqualTo(fenced ? CommitResult.FENCED : CommitResult.COMMITTED);
        assertThat(model.partition.resolve(id)).hasValue(!fenced);
        if (!fenced) {
            model.rows = rows;
            model.lsn = next;
        }
        assertThat(model.partition.lsn()).isEqualTo(model.lsn);
    }

    private void read(Model model) {
        byte[] key = key();
        byte[] expected = model.rows.get(key);
        assertThat(model.partition.get(key)).isEqualTo(expected);
        switch (model.partition.tryGet(key)) {
            case Cached.Found found -> assertThat(found.value()).isEqualTo(expected);
            case Cached.Absent absent -> assertThat(expected).as("%s", absent).isNull();
            case Cached.Unknown unknown -> assertThat(unknown).isEqualTo(Cached.UNKNOWN);
        }
        if (random.nextInt(5) == 0) {
            try (var snapshot = model.partition.snapshot()) {
                compare(new Held(snapshot, model.lsn, model.rows));
            }
        }
    }

    private void compare(Held held) {
        assertThat(held.snapshot.lsn()).isEqualTo(held.lsn);
        var keys = List.of(key(), key(), key());
        assertThat(held.snapshot.multiGet(keys))
                .containsExactly(keys.stream().map(held.rows::get).toArray(byte[][]::new));
        var range = range();
        var inRange = held.rows.subMap(range.from(), true, range.to(), false);
        compareScan(held.snapshot, range, Direction.FORWARD, inRange);
        compareScan(held.snapshot, range, Direction.BACKWARD, inRange.descendingMap());
    }

    private void compareScan(
            Snapshot snapshot, KeyRange range, Direction direction, NavigableMap<byte[], byte[]> expected) {
        try (var cursor = snapshot.scan(range, direction)) {
            if (random.nextBoolean()) {
                cursor.next();
                byte[] from = key();
                cursor.seek(from);
                compareRest(cursor, after(expected, from));
            } else {
                compareRest(cursor, expected);
            }
        }
    }

    // A map's own tailMap refuses keys outside the map's range, which a cursor allows.
    private static NavigableMap<byte[], byte[]> after(NavigableMap<byte[], byte[]> rows, byte[] from) {
        var rest = copy(rows);
        rest.keySet().removeIf(key -> rows.comparator().compare(key, from) < 0);
        return rest;
    }

    private static void compareRest(Cursor cursor, NavigableMap<byte[], byte[]> expected) {
        for (var row : expected.entrySet()) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.key()).isEqualTo(row.getKey());
            assertThat(cursor.value()).isEqualTo(row.getValue());
        }
        assertThat(cursor.next()).isFalse();
    }

    private static NavigableMap<byte[], byte[]> copy(NavigableMap<byte[], byte[]> rows) {
        return new TreeMap<>(rows);
    }

    private KeyRange range() {
        byte[] one = key();
        byte[] other = key();
        other[0] = one[0];
        if (random.nextInt(5) == 0) {
            return KeyRange.prefix(Arrays.copyOf(one, 1));
        }
        return Arrays.compareUnsigned(one, other) <= 0 ? new KeyRange(one, other) : new KeyRange(other, one);
    }

    // Two key spaces, and few enough keys that they meet again.
    private byte[] key() {
        byte[] key = new byte[1 + random.nextInt(3)];
        for (int i = 1; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(16) * 17);
        }
        key[0] = (byte) (random.nextInt(2) + 2);
        return key;
    }
}
