package dev.orrery.engine;

import static dev.orrery.engine.TestDatabase.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.store.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Ranges are closed and opened one by one while clients write and read: nobody is refused, and nothing is lost. */
class RangesUnderLoadTest {
    private static final int WRITERS = 4;
    private static final int ROUNDS = 60;

    private final AtomicBoolean over = new AtomicBoolean();

    /** Writes one value after another to an item of its own, and reads each back. */
    private final class Writer implements Runnable {
        private final TestDatabase database;
        private final String partition;
        private final AtomicInteger written = new AtomicInteger();

        Writer(TestDatabase database, String partition) {
            this.database = database;
            this.partition = partition;
        }

        @Override
        public void run() {
            while (!over.get()) {
                int next = written.get() + 1;
                var body = "{\"id\":\"i\",\"pk\":\"%s\",\"n\":%d}".formatted(partition, next);
                assertThat(database.upsertItem(partition, body).answer()).isInstanceOf(Answer.Resource.class);
                assertThat(json(database.readItem(partition, "i")).member("n")).isEqualTo(new Num(next));
                written.set(next);
            }
        }
    }

    @Test
    void rangesThatAreClosedAndOpenedLoseNothing() throws Exception {
        // Four ranges.
        try (var database =
                        TestDatabase.withContainer("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 40_000);
                var threads = Executors.newCachedThreadPool()) {
            var writers = new ArrayList<Writer>();
            var ends = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < WRITERS; i++) {
                var writer = new Writer(database, "p" + i);
                writers.add(writer);
                ends.add(CompletableFuture.runAsync(writer, threads));
            }
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    var before = counts(writers);
                    database.releaseRanges();
                    Await.until(
                            "every writer goes on",
                            () -> ends.stream().anyMatch(CompletableFuture::isDone) || allBeyond(writers, before));
                }
            } finally {
                over.set(true);
            }
            ends.forEach(CompletableFuture::join);

            var found = new HashMap<String, Integer>();
            for (var row : database.query("SELECT c.pk, c.n FROM c", Scope.ALL, 100)) {
                found.put(TestDatabase.text((Obj) row, "pk"), (int) ((Num) ((Obj) row).member("n")).value());
            }
            Map<String, Integer> expected = new HashMap<>();
            writers.forEach(writer -> expected.put(writer.partition, writer.written.get()));
            assertThat(found).isEqualTo(expected);
        }
    }

    private static List<Integer> counts(List<Writer> writers) {
        return writers.stream().map(writer -> writer.written.get()).toList();
    }

    private static boolean allBeyond(List<Writer> writers, List<Integer> before) {
        for (int i = 0; i < before.size(); i++) {
            if (writers.get(i).written.get() <= before.get(i)) {
                return false;
            }
        }
        return true;
    }
}
