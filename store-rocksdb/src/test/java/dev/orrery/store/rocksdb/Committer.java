package dev.orrery.store.rocksdb;

import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * A process of its own that commits to a store and tells on its output what has been acknowledged, so that tests can
 * take away its life or its disk.
 */
final class Committer {

    static final RocksDbSettings SETTINGS = RocksDbSettings.DEFAULT.withSeparateKeySpaces(Set.of((byte) 'S'));

    private Committer() {}

    /** {@code directory durability partitions}: commits to all partitions at once until it is killed or a commit fails. */
    public static void main(String[] args) {
        try (var background = Executors.newSingleThreadScheduledExecutor();
                var threads = Executors.newCachedThreadPool()) {
            var store = new RocksDbStore(
                    Path.of(args[0]), SETTINGS.withDurability(Durability.valueOf(args[1])), background);
            for (int p = 0; p < Integer.parseInt(args[2]); p++) {
                var id = new PartitionId(p);
                var partition = store.open(id, 1);
                threads.execute(() -> commitForEver(id, partition));
            }
        }
    }

    private static void commitForEver(PartitionId id, PartitionStore partition) {
        while (true) {
            var commit = commit(partition.lsn() + 1, 200);
            if (partition.commit(commit) != CommitResult.COMMITTED) {
                throw new IllegalStateException("Nobody else owns this partition");
            }
            System.out.println(id.value() + " " + commit.newLsn());
        }
    }

    /** Starts a program of this kind in a JVM like this one. */
    static ProcessBuilder java(Class<?> program, String... args) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** Rows in two column families and one row that every commit changes. */
    static Commit commit(long lsn, int bytes) {
        byte[] number = ByteBuffer.allocate(8).putLong(lsn).array();
        var mutations = List.<Mutation>of(
                new Mutation.Put(key('K', lsn), new byte[bytes]),
                new Mutation.Put(key('S', lsn), number),
                new Mutation.Put(key('L', 0), number));
        return new Commit(new CommitId(1, lsn), lsn - 1, lsn, mutations);
    }

    static byte[] key(char keySpace, long number) {
        return ByteBuffer.allocate(9).put((byte) keySpace).putLong(number).array();
    }
}
