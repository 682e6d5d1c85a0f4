package dev.orrery.engine.advice;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.observe.Observer;
import dev.orrery.engine.observe.QueryCall;
import dev.orrery.engine.observe.Refusals;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Limits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what is told of requests until somebody has time to note it, so that no answer waits for that. What waits has a
 * limit: under more load than can be noted, some requests are not.
 */
public final class LaterNotes implements Observer {
    private static final Logger LOG = LoggerFactory.getLogger(LaterNotes.class);

    /** What an observation weighs itself, in bytes. */
    private static final int OWN_WEIGHT = 256;

    private record Waiting(Runnable note, long weight) {}

    private final Observer notes;
    private final Queue<Waiting> line = new ConcurrentLinkedQueue<>();
    private final AtomicLong weight = new AtomicLong();

    /** @param notes takes them; may take its time */
    public LaterNotes(Observer notes) {
        this.notes = notes;
    }

    @Override
    public void read(Container container, ItemKey key, Outcome outcome) {
        long bytes = outcome.answer() instanceof Answer.Resource(var _, var json) ? json.remaining() : 0;
        later(bytes, () -> notes.read(container, key, outcome));
    }

    @Override
    public void wrote(Container container, ItemKey key, StoredItem before, StoredItem after, Bill bill) {
        later(size(before) + size(after), () -> notes.wrote(container, key, before, after, bill));
    }

    private static long size(StoredItem item) {
        return item == null ? 0 : item.sizeBytes();
    }

    @Override
    public void queried(Container container, QueryCall call) {
        if (Workload.isKept(call.pattern())) {
            later(call.rows().stream().mapToLong(ByteBuffer::remaining).sum(), () -> notes.queried(container, call));
        }
    }

    @Override
    public void refused(Container container, String pattern, List<String> index, Refusals refusal) {
        if (Workload.isKept(pattern)) {
            later(0, () -> notes.refused(container, pattern, index, refusal));
        }
    }

    @Override
    public void scripted(Container container, String pattern) {
        if (Workload.isKept(pattern)) {
            later(0, () -> notes.scripted(container, pattern));
        }
    }

    private void later(long bytes, Runnable note) {
        long more = OWN_WEIGHT + bytes;
        if (weight.addAndGet(more) <= Limits.ADVICE_WAITING_BYTES_MAX) {
            line.add(new Waiting(note, more));
        } else {
            weight.addAndGet(-more);
        }
    }

    /** Notes all that waits. */
    public synchronized void catchUp() {
        for (var next = line.poll(); next != null; next = line.poll()) {
            weight.addAndGet(-next.weight());
            try {
                next.note().run();
            } catch (RuntimeException | Error problem) { // Those behind it are to be noted all the same.
                LOG.warn("A request could not be noted for the advisor", problem);
            }
        }
    }
}
