package dev.orrery.engine.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.observe.Observer;
import dev.orrery.engine.observe.QueryCall;
import dev.orrery.engine.observe.Refusals;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.model.Limits;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.PartitionKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of requests waits until somebody has time for it, and no more of it than fits. */
class LaterNotesTest {
    /** It is only handed on. */
    private static final Container CONTAINER = null;

    private static final ItemKey KEY =
            ItemKey.of(new LogicalPartition(EffectivePartitionKey.MIN, PartitionKey.EMPTY), "i");
    private static final int OBSERVATION_BYTES = 256;

    private final List<String> noted = new ArrayList<>();
    private final LaterNotes notes = new LaterNotes(new Noting());

    @Test
    void nothingIsLookedAtBeforeSomebodyHasTime() {
        var json = ByteBuffer.wrap(new byte[] {'{', '?'}); // Whoever parses it fails.
        notes.scripted(CONTAINER, "first");
        read(json);
        assertThat(noted).isEmpty();

        notes.catchUp();
        assertThat(noted).containsExactly("first", "read 2 bytes");
        assertThat(json.remaining()).as("what the client is sent").isEqualTo(2);
    }

    @Test
    void whatDoesNotFitIsNotNoted() {
        long fit = Limits.ADVICE_WAITING_BYTES_MAX / OBSERVATION_BYTES;
        for (int i = 0; i < fit + 1_000; i++) {
            notes.scripted(CONTAINER, "p");
        }
        notes.catchUp();
        assertThat(noted).hasSize((int) fit);

        notes.scripted(CONTAINER, "there is room again");
        notes.catchUp();
        assertThat(noted).hasSize((int) fit + 1).endsWith("there is room again");
    }

    @Test
    void anAnswerWeighsWhatItHolds() {
        var half = ByteBuffer.allocate((int) (Limits.ADVICE_WAITING_BYTES_MAX / 2));
        read(half);
        read(half);
        notes.scripted(CONTAINER, "small enough");
        notes.catchUp();
        assertThat(noted).containsExactly("read " + half.remaining() + " bytes", "small enough");
    }

    @Test
    void oneThatCannotBeNotedIsNoHarmToTheNext() {
        notes.scripted(CONTAINER, "bad");
        notes.scripted(CONTAINER, "good");
        notes.catchUp();
        assertThat(noted).containsExactly("good");
    }

    @Test
    void aQueryThatNobodyWritesByHandIsNotNoted() {
        notes.scripted(CONTAINER, "x".repeat(Limits.ADVICE_PATTERN_CHARACTERS_MAX + 1));
        notes.refused(
                CONTAINER, "x".repeat(Limits.ADVICE_PATTERN_CHARACTERS_MAX + 1), List.of(), new Refusals(1, 1, 1));
        notes.catchUp();
        assertThat(noted).isEmpty();
    }

    private void read(ByteBuffer json) {
        notes.read(CONTAINER, KEY, new Outcome(new Answer.Resource(Change.READ, json), Bill.NOTHING, Facts.NONE));
    }

    private final class Noting implements Observer {
        @Override
        public void read(Container container, ItemKey key, Outcome outcome) {
            noted.add("read " + ((Answer.Resource) outcome.answer()).json().remaining() + " bytes");
        }

        @Override
        public void wrote(Container container, ItemKey key, StoredItem before, StoredItem after, Bill bill) {
            noted.add("wrote");
        }

        @Override
        public void queried(Container container, QueryCall call) {
            noted.add("queried");
        }

        @Override
        public void refused(Container container, String pattern, List<String> index, Refusals refusal) {
            noted.add("refused");
        }

        @Override
        public void scripted(Container container, String pattern) {
            if (pattern.equals("bad")) {
                throw new IllegalStateException("on purpose");
            }
            noted.add(pattern);
        }
    }
}
