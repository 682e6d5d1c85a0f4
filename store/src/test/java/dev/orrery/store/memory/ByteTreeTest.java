package dev.orrery.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.KeyRange;
import dev.orrery.store.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ByteTreeTest {

    @Test
    void anEmptyTreeHasNoRow() {
        byte[] key = {1};

        assertThat(ByteTree.EMPTY.get(key)).isNull();
        assertThat(ByteTree.EMPTY.atOrAfter(key)).isNull();
        assertThat(ByteTree.EMPTY.before(key, true)).isNull();
        assertThat(ByteTree.EMPTY.remove(key)).isSameAs(ByteTree.EMPTY);
    }

    @Test
    void behavesLikeASortedMapWhileItGrowsAndShrinks() {
        var random = Seed.random();
        var tree = ByteTree.EMPTY;
        var model = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
        for (int round = 0; round < 20; round++) {
            int puts = random.nextInt(10); // Of ten steps: some rounds grow, some shrink to nothing.
            for (int step = 0; step < 1_000; step++) {
                byte[] key = key(random);
                if (random.nextInt(10) < puts) {
                    byte[] value = {(byte) step, (byte) round};
                    tree = tree.put(key, value);
                    model.put(key, value);
                } else {
                    tree = tree.remove(key);
                    model.remove(key);
                }
            }
            assertSame(tree, model);
            assertNeighboursSame(tree, model, random);
        }
    }

    @Test
    void aRangeIsRemovedWhole() {
        var random = Seed.random();
        for (int round = 0; round < 100; round++) {
            var tree = ByteTree.EMPTY;
            var model = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
            for (int i = random.nextInt(500); i >= 0; i--) {
                byte[] key = key(random);
                tree = tree.put(key, key);
                model.put(key, key);
            }
            byte[] one = key(random);
            byte[] other = key(random);
            boolean upwards = Arrays.compareUnsigned(one, other) <= 0;
            var range = new KeyRange(upwards ? one : other, upwards ? other : one);
            var before = tree;
            tree = before.removeRange(range);
            assertSame(before, model);
            model.subMap(range.from(), range.to()).clear();
            assertSame(tree, model);
        }
    }

    @Test
    void anOlderTreeIsNotChangedByANewerOne() {
        var random = Seed.random();
        var trees = new ArrayList<ByteTree>();
        var models = new ArrayList<NavigableMap<byte[], byte[]>>();
        var tree = ByteTree.EMPTY;
        var model = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
        for (int version = 0; version < 50; version++) {
            trees.add(tree);
            models.add(new TreeMap<>(model));
            for (int step = 0; step < 50; step++) {
                byte[] key = key(random);
                if (random.nextInt(3) > 0) {
                    tree = tree.put(key, key);
                    model.put(key, key);
                } else {
                    tree = tree.remove(key);
                    model.remove(key);
                }
            }
        }
        for (int version = 0; version < trees.size(); version++) {
            assertSame(trees.get(version), models.get(version));
        }
    }

    // Few enough that they meet again, of one to three bytes, so that one is often the beginning of another.
    private static byte[] key(RandomGenerator random) {
        byte[] key = new byte[1 + random.nextInt(3)];
        random.nextBytes(key);
        key[0] = 7;
        return key;
    }

    private static List<ByteTree.Row> rows(ByteTree tree) {
        var rows = new ArrayList<ByteTree.Row>();
        for (var row = tree.atOrAfter(new byte[0]); row != null; ) {
            rows.add(row);
            row = tree.atOrAfter(Arrays.copyOf(row.key(), row.key().length + 1));
        }
        return rows;
    }

    private static void assertSame(ByteTree tree, NavigableMap<byte[], byte[]> model) {
        assertThat(rows(tree).stream().map(ByteTree.Row::key)).containsExactlyElementsOf(model.keySet());
        assertThat(rows(tree).stream().map(ByteTree.Row::value)).containsExactlyElementsOf(model.values());
    }

    private static void assertNeighboursSame(
            ByteTree tree, NavigableMap<byte[], byte[]> model, RandomGenerator random) {
        for (int i = 0; i < 200; i++) {
            byte[] key = key(random);
            assertThat(tree.get(key)).isEqualTo(model.get(key));
            assertThat(key(tree.atOrAfter(key))).isEqualTo(model.ceilingKey(key));
            assertThat(key(tree.before(key, true))).isEqualTo(model.floorKey(key));
            assertThat(key(tree.before(key, false))).isEqualTo(model.lowerKey(key));
        }
    }

    private static byte[] key(ByteTree.Row row) {
        return row == null ? null : row.key();
    }
}
