package dev.orrery.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A loss of power: the file system of the data stops at once, and what was not synced is gone. It needs root and a loop
 * device on Linux, and is skipped elsewhere.
 */
class PowerCutIT {
    private static final int ROUNDS = Integer.getInteger("power.cuts", 3);
    private static final int WRITERS = 4;
    private static final String ITEMS = "/dbs/d/colls/c/docs";

    /** Of {@code linux/ext4.h}: shut down, and do not even write the journal. */
    private static final long SHUT_DOWN = 0x8004587dL;

    private static final int WITHOUT_LOG = 2;

    @TempDir
    private Path folder;

    private Path disk;
    private boolean mounted;

    @AfterEach
    void unmount() {
        if (mounted) {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    @Test
    void everyAcknowledgedWriteSurvivesALossOfPower() throws Exception {
        prepareDisk();
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("PowerCutIT: -Dtest.seed=" + seed);
        var random = new SplittableRandom(seed);
        Set<String> there = Set.of();
        try (var server = OrreryServer.start(disk.resolve("data"), "--disk-reserve", "8")) {
            create(new WireClient(server));
            for (int round = 0; round < ROUNDS; round++) {
                var promised = writeAndCutPower(server, round, random.nextInt(50, 400));
                promised.addAll(there);
                assertThat(run("umount", disk.toString())).isZero();
                mount();
                server.restart();
                there = found(new WireClient(server));
                promised.removeAll(there);
                assertThat(promised).as("lost of " + there.size()).isEmpty();
                System.out.printf("PowerCutIT: round %d, %d there%n", round, there.size());
            }
        }
        var check =
                OrreryServer.run(folder, "check", "--data", disk.resolve("data").toString());
        assertThat(check.output()).contains("all is well");
    }

    private void prepareDisk() throws IOException {
        assumeTrue(
                System.getProperty("os.name").equals("Linux") && "root".equals(System.getProperty("user.name")),
                "A loss of power needs Linux and root");
        var image = folder.resolve("image");
        disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                run("truncate", "-s", "256M", image.toString()) == 0
                        && run("mkfs.ext4", "-q", image.toString()) == 0
                        && run("mount", "-o", "loop", image.toString(), disk.toString()) == 0,
                "A loss of power needs mkfs.ext4 and a loop device");
        mounted = true;
    }

    private void mount() {
        mounted = false;
        assertThat(run("mount", "-o", "loop", folder.resolve("image").toString(), disk.toString()))
                .isZero();
        mounted = true;
    }

    /** Returns what had been acknowledged by then: what a dying file system says afterwards is worth nothing. */
    private Set<String> writeAndCutPower(OrreryServer server, int round, int enough) throws Exception {
        var acknowledged = new ConcurrentSkipListSet<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < WRITERS; writer++) {
                var prefix = round + "-" + writer + "-";
                threads.execute(() -> writeUntilTheEnd(server, prefix, acknowledged));
            }
            Await.until("enough is written", () -> acknowledged.size() >= enough);
            var promised = new TreeSet<>(acknowledged);
            cutPower();
            server.kill();
            return promised;
        }
    }

    private static void writeUntilTheEnd(OrreryServer server, String prefix, Set<String> acknowledged) {
        var client = new WireClient(server);
        for (int number = 0; ; number++) {
            var id = prefix + number;
            var create = WireRequest.of("POST", ITEMS)
                    .header("x-ms-documentdb-partitionkey", "[\"p\"]")
                    .body("{\"id\":\"%s\",\"pk\":\"p\",\"text\":\"%s\"}".formatted(id, "x".repeat(500)));
            try {
                if (client.send(create).status() != 201) {
                    return;
                }
            } catch (UncheckedIOException dead) {
                return;
            }
            acknowledged.add(id);
        }
    }

    private static void create(WireClient client) {
        assertThat(client.post("/dbs", "{\"id\":\"d\"}").status()).isEqualTo(201);
        assertThat(client.post(
                                "/dbs/d/colls",
                                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}")
                        .status())
                .isEqualTo(201);
    }

    private static Set<String> found(WireClient client) {
        var found = new TreeSet<String>();
        var id = Pattern.compile("\"id\":\"([0-9-]+)\"");
        String continuation = null;
        do {
            var list = WireRequest.of("GET", ITEMS).header("x-ms-max-item-count", "1000");
            var reply = client.send(continuation == null ? list : list.header("x-ms-continuation", continuation));
            assertThat(reply.status()).isEqualTo(200);
            id.matcher(reply.body()).results().forEach(match -> found.add(match.group(1)));
            continuation = reply.headers().get("x-ms-continuation");
        } while (continuation != null);
        return found;
    }

    @SuppressWarnings("restricted") // There is no other way to a call of the system.
    private void cutPower() throws Exception {
        var linker = Linker.nativeLinker();
        var open = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("open"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(2));
        var ioctl = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("ioctl"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
                Linker.Option.firstVariadicArg(2));
        var close = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("close"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try (var arena = Arena.ofConfined()) {
            MemorySegment how = arena.allocateFrom(ValueLayout.JAVA_INT, WITHOUT_LOG);
            int file = (int) open.invokeExact(arena.allocateFrom(disk.toString()), 0);
            int result = (int) ioctl.invokeExact(file, SHUT_DOWN, how);
            int closed = (int) close.invokeExact(file);
            assertThat(result).isZero();
            assertThat(closed).isZero();
        } catch (Throwable failed) {
            throw new AssertionError("The power could not be cut", failed);
        }
    }

    private static int run(String... command) {
        try {
            return Await.end(new ProcessBuilder(command).inheritIO().start());
        } catch (IOException missing) {
            return -1;
        }
    }
}
