package dev.orrery.engine.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptCall;
import dev.orrery.engine.script.ScriptHost;
import dev.orrery.engine.script.ScriptHost.DocumentLink;
import dev.orrery.engine.script.ScriptResult;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.rocksdb.Durability;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Items that are so large that few of them go into one commit. */
class LargeItemsTest {
    private static final String LARGE = "\"v\":\"" + "x".repeat(1_900_000) + "\"";

    /** More than one commit takes, of versions, and of versions with those that they replace. */
    private static final int NEW = 34;

    private static final int AT_ODDS = 18;

    private static final String MERGED = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"indexingPolicy":{"indexingMode":"none","automatic":false},
         "conflictResolutionPolicy":{"mode":"Custom","conflictResolutionProcedure":"dbs/d/colls/c/sprocs/merge"}}
        """;

    /** Runs whatever the test has set, in place of JavaScript. */
    private final class JavaScripts implements ScriptRunner {
        @Override
        public void check(String name, String body) {}

        @Override
        public ScriptResult run(ScriptCall call, ScriptHost host) {
            host.begin();
            merge.accept(host);
            return new ScriptResult(Optional.empty(), Optional.empty(), "");
        }

        @Override
        public Functions functions() {
            throw new IllegalStateException("no functions here");
        }

        @Override
        public void expect() {}

        @Override
        public void close() {}
    }

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger stores = new AtomicInteger();
    private Consumer<ScriptHost> merge = host -> {};

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    private RocksDbStore store() {
        return new RocksDbStore(
                folder.resolve("store" + stores.incrementAndGet()),
                RocksDbSettings.DEFAULT.withDurability(Durability.RELAXED).withSeparateKeySpaces(KeySpace.scattered()),
                timer);
    }

    @Test
    void theyAreTakenOverInSeveralCommitsAndAMergeThatNeedsTooLargeAOneIsLeftToPeople() {
        var setting = new WritingScene.Setting(
                this::store, new JavaScripts(), MemoryBudget.unlimited(), Limits.LOGICAL_PARTITION_BYTES_MAX);
        try (var scene = new WritingScene(MERGED, setting)) {
            scene.hub.make(
                    ResourceKind.STORED_PROCEDURE,
                    TestDatabase.CONTAINER,
                    "{\"id\":\"merge\",\"body\":\"function () {}\"}");
            scene.satellite.follow();
            for (int i = 0; i < AT_ODDS; i++) {
                scene.hub.create("both" + i, LARGE);
                scene.satellite.create("both" + i, LARGE);
            }
            for (int i = 0; i < NEW; i++) {
                scene.hub.create("new" + i, LARGE);
            }
            offerAll(scene.hub);
            scene.satellite.rest();
            offerAll(scene.satellite);
            scene.satellite.follow();
            scene.satellite.goOn();
            scene.exchange();
            assertThat(scene.satellite.etags()).hasSize(AT_ODDS + NEW).isEqualTo(scene.hub.etags());

            merge = LargeItemsTest::deleteAll;
            scene.hub.create("small", "");
            offerAll(scene.hub);
            scene.satellite.create("small", "");
            scene.exchange();
            assertThat(scene.satellite.etags()).hasSize(AT_ODDS + NEW + 1).isEqualTo(scene.hub.etags());
            assertThat(scene.hub.conflicts()).hasSize(1);
        }
    }

    private static void offerAll(WritingScene.Region region) {
        int offered;
        do {
            offered = region.offer();
        } while (offered > 0);
    }

    private static void deleteAll(ScriptHost host) {
        for (int i = 0; i < AT_ODDS; i++) {
            delete(host, "both" + i);
        }
        for (int i = 0; i < NEW; i++) {
            delete(host, "new" + i);
        }
    }

    private static void delete(ScriptHost host, String id) {
        var reply = host.perform(new ScriptHost.Operation.Delete(new DocumentLink(false, id), ""));
        assertThat(reply.orElseThrow().status()).isEqualTo(204);
    }
}
