package dev.orrery.sql.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.sql.Query;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryMemoryTest {
    private static final int ITEMS = 20_000;
    private static final int ITEM_BYTES = 500;

    /** Follows what a query says that it keeps. */
    private static final class Memory implements Checkpoint {
        private final long most;
        private long kept;
        private long peak;

        Memory(long most) {
            this.most = most;
        }

        @Override
        public void pass() {}

        @Override
        public void keep(long bytes) {
            kept += bytes;
            peak = Math.max(peak, kept);
            if (kept > most) {
                throw new FailureException(new Failure.BadRequest("enough"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c ORDER BY c.n",
                "SELECT DISTINCT VALUE c FROM c",
                "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n",
                "SELECT VALUE MAKELIST(c) FROM c",
                "SELECT VALUE MAKESET(c) FROM c",
                "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c FROM c)"
            })
    void whatAQueryKeepsIsCountedAndCanBeBounded(String text) {
        var memory = new Memory(1 << 20);
        assertThatThrownBy(() -> run(text, Long.MAX_VALUE, memory)).hasMessage("enough");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c",
                "SELECT VALUE COUNT(1) FROM c",
                "SELECT VALUE MAX(c.n) FROM c",
                "SELECT ARRAY(SELECT DISTINCT VALUE t FROM t IN c.tags ORDER BY t) AS tags FROM c"
            })
    void whatAQueryPassesOnIsNotKept(String text) {
        var memory = new Memory(16 << 10);
        run(text, Long.MAX_VALUE, memory);
        assertThat(memory.kept).isZero();
    }

    @Test
    void theFirstRowsOfASortedQueryAreAllThatItKeeps() {
        var memory = new Memory(Long.MAX_VALUE);
        run("SELECT * FROM c ORDER BY c.n", 10, memory);
        assertThat(memory.peak).isLessThan(6 << 20).isGreaterThan(10 * ITEM_BYTES);
        assertThat(memory.kept).isZero();
    }

    private static void run(String text, long rowsMax, Memory memory) {
        var inputs =
                QueryInputs.of(Map.of(), Instant.EPOCH, new SplittableRandom(1)).withCheckpoint(memory);
        var run = Query.of(text).runFirst(rowsMax, inputs, _ -> true);
        var padding = "x".repeat(ITEM_BYTES);
        for (int number = ITEMS; number > 0; number--) {
            var item = "{\"n\":" + number + ",\"tags\":[\"b\",\"a\",\"b\"],\"text\":\"" + padding + "\"}";
            run.add(JsonReader.parse(item), number);
        }
        run.finish();
    }
}
