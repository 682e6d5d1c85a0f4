package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.store.Seed;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Random operations, with restarts, ranges that are closed, splits and time passing in between, against a map that says what must be there. */
class HistoryTest {
    private record Known(int value, long expirySecond) {}

    @Test
    void theDatabaseAgreesWithAMapAboutWhatWasWritten() throws Exception {
        var random = Seed.random();
        var definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":-1}";
        try (var database = TestDatabase.withContainer(definition, 400)) {
            Map<String, Known> model = new HashMap<>();
            long second = 0;
            int requestUnits = 400;
            for (int step = 0; step < 3_000; step++) {
                var partition = "p" + random.nextInt(6);
                var id = "i" + random.nextInt(8);
                var name = partition + "/" + id;
                long now = second;
                model.values().removeIf(known -> known.expirySecond() <= now);
                switch (random.nextInt(20)) {
                    case 0, 1, 2, 3 -> {
                        var created = database.createItem(partition, item(id, partition, step, 0))
                                        .answer()
                                instanceof Answer.Resource;
                        assertThat(created).as(name).isEqualTo(!model.containsKey(name));
                        model.putIfAbsent(name, new Known(step, Long.MAX_VALUE));
                    }
                    case 4, 5, 6, 7 -> {
                        int ttl = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 0;
                        database.upsertItem(partition, item(id, partition, step, ttl));
                        model.put(name, new Known(step, ttl == 0 ? Long.MAX_VALUE : second + ttl));
                    }
                    case 8, 9, 10 -> {
                        var deleted = database.deleteItem(partition, id).answer() instanceof Answer.Deleted;
                        assertThat(deleted).as(name).isEqualTo(model.remove(name) != null);
                    }
                    case 11 -> {
                        database.passSeconds(1);
                        second++;
                    }
                    case 12 -> {
                        if (random.nextInt(40) == 0) {
                            database.reopen();
                        } else if (random.nextInt(5) == 0) {
                            database.releaseRanges();
                        } else if (random.nextInt(60) == 0 && requestUnits < 60_000) {
                            requestUnits += 10_000;
                            database.setThroughput(requestUnits / 1000 * 1000);
                        }
                    }
                    default -> {
                        var read = database.readItem(partition, id).answer();
                        assertThat(read instanceof Answer.Resource).as(name).isEqualTo(model.containsKey(name));
                    }
                }
            }
            long now = second;
            model.values().removeIf(known -> known.expirySecond() <= now);
            var found = new HashMap<String, Integer>();
            for (var row : database.query("SELECT c.id, c.pk, c.v FROM c", Scope.ALL, 1 + random.nextInt(20))) {
                var item = (Obj) row;
                found.put(TestDatabase.text(item, "pk") + "/" + TestDatabase.text(item, "id"), (int)
                        ((Num) item.member("v")).value());
            }
            var expected = new HashMap<String, Integer>();
            model.forEach((name, known) -> expected.put(name, known.value()));
            assertThat(found).isEqualTo(expected);
        }
    }

    private static String item(String id, String partition, int value, int ttl) {
        return "{\"id\":\"" + id + "\",\"pk\":\"" + partition + "\",\"v\":" + value
                + (ttl == 0 ? "" : ",\"ttl\":" + ttl) + "}";
    }
}
