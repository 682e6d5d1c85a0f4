package dev.orrery.engine;

import static dev.orrery.engine.ItemsTest.refusal;
import static dev.orrery.engine.TestDatabase.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Failure;
import dev.orrery.store.Await;
import dev.orrery.store.Seed;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The items with one partition key may take so much together, and no more. */
class FullPartitionTest {
    private static final long BYTES_MAX = 20_000;

    private final TestDatabase database = TestDatabase.withContainer();
    private final Map<String, Integer> sizes = new HashMap<>();
    private int next;

    FullPartitionTest() {
        database.reopen(BYTES_MAX);
    }

    private static String item(String id, int valueCharacters) {
        return "{\"id\":\"" + id + "\",\"pk\":\"p\",\"v\":\"" + "x".repeat(valueCharacters) + "\"}";
    }

    private static boolean isFull(Outcome outcome) {
        if (!(outcome.answer() instanceof Answer.Refused)) {
            return false;
        }
        assertThat(refusal(outcome)).isInstanceOf(Failure.PartitionFull.class);
        return true;
    }

    /** Writes a version of an item if there is room, and keeps count. */
    private boolean upsert(String id, int valueCharacters) {
        if (isFull(database.upsertItem("p", item(id, valueCharacters)))) {
            return false;
        }
        var stored = (Answer.Resource) database.readItem("p", id).answer();
        sizes.put(id, stored.json().remaining());
        return true;
    }

    private long bytes() {
        return sizes.values().stream().mapToLong(size -> size).sum();
    }

    /** Beyond the bound, whatever happens to the partition that is looked at: otherwise nothing is counted. */
    private void fillTheRestOfTheRange() {
        for (int i = 0; i < 40; i++) {
            json(database.createItem(
                    "q" + i, "{\"id\":\"1\",\"pk\":\"q" + i + "\",\"v\":\"" + "y".repeat(1_000) + "\"}"));
        }
    }

    /** A partition that has just become large is measured beside the writes to it. */
    private void fill() {
        Await.until("no more room", () -> !upsert("f" + next++, 500));
    }

    @Test
    void whatIsFullTakesNothingThatMakesItLarger() {
        fill();
        assertThat(isFull(database.upsertItem("p", item("f0", 501)))).isTrue();
        json(database.upsertItem("p", item("f0", 500)));
        json(database.createItem("q", "{\"id\":\"1\",\"pk\":\"q\"}"));
        assertThat(refusal(database.createItem("p", item("one more", 500))).message())
                .startsWith("Partition key reached maximum size of")
                .contains(bytes() + " bytes");
    }

    @Test
    void whatIsDeletedMakesRoomToTheByte() {
        fillTheRestOfTheRange();
        fill();
        while (bytes() > BYTES_MAX - 2_000) {
            var gone = sizes.keySet().iterator().next();
            database.deleteItem("p", gone);
            sizes.remove(gone);
        }
        assertThat(upsert("probe", 0)).isTrue();
        int empty = sizes.get("probe");
        int room = (int) (BYTES_MAX - bytes());
        assertThat(upsert("probe", room + 1)).isFalse();
        assertThat(upsert("probe", room)).isTrue();
        assertThat(sizes.get("probe")).isEqualTo(empty + room);
        assertThat(bytes()).isEqualTo(BYTES_MAX);
        assertThat(isFull(database.createItem("p", item("one more", 0)))).isTrue();
    }

    @Test
    void itIsKeptInMindOverARestart() {
        fill();
        database.reopen();
        Await.until("no more room", () -> !upsert("h" + next++, 500));
        assertThat(refusal(database.createItem("p", item("one more", 500))).message())
                .contains(bytes() + " bytes");
    }

    @Test
    void countsStayRightOverAnyWrites() {
        var random = Seed.random();
        fillTheRestOfTheRange();
        fill();
        for (int i = 0; i < 2_000; i++) {
            var id = "r" + random.nextInt(40);
            if (random.nextInt(3) == 0) {
                if (sizes.remove(id) != null) {
                    database.deleteItem("p", id);
                }
            } else {
                int had = sizes.getOrDefault(id, 0);
                if (upsert(id, random.nextInt(2_000)) && sizes.get(id) > had) {
                    assertThat(bytes()).isLessThanOrEqualTo(BYTES_MAX);
                }
            }
        }
        fill();
        assertThat(refusal(database.createItem("p", item("one more", 2_000))).message())
                .contains(bytes() + " bytes");
    }
}
