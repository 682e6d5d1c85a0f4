package dev.orrery.store.rocksdb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Group commit: whoever finds nobody writing writes for all that wait, so that one trip to the disk serves many.
 *
 * <p>A leader writes one group and then makes the first of those who came meanwhile the next leader. A lone thread
 * never waits for another, and no thread writes for others for ever.
 */
final class WriteQueue {

    /** Keeps a group from growing so large that its first member waits long for the others' bytes. */
    private static final long GROUP_BYTES_MAX = 4L << 20;

    private final Consumer<List<Write>> writer;
    private final ArrayDeque<Write> waiting = new ArrayDeque<>();
    private boolean led;

    /** The writer settles every write of the group it is given; it is never called by two threads at a time. */
    WriteQueue(Consumer<List<Write>> writer) {
        this.writer = writer;
    }

    /** Returns when the write is settled, by this thread or by another. */
    void submit(Write write) {
        boolean leads;
        synchronized (this) {
            waiting.addLast(write);
            leads = !led;
            led = true;
        }
        if (!leads) {
            leads = write.awaitSettledOrPromoted();
        }
        if (leads) {
            lead();
        }
    }

    private void lead() {
        var group = take();
        try {
            writer.accept(group);
        } finally {
            // Also after an error nobody may wait for ever, and somebody must lead those who came meanwhile.
            promoteNext();
            group.forEach(Write::wake);
        }
    }

    private synchronized List<Write> take() {
        var group = new ArrayList<Write>(waiting.size());
        long bytes = 0;
        do {
            var write = waiting.removeFirst();
            bytes += write.bytes();
            group.add(write);
        } while (!waiting.isEmpty() && bytes + waiting.getFirst().bytes() <= GROUP_BYTES_MAX);
        return group;
    }

    private void promoteNext() {
        Write next;
        synchronized (this) {
            next = waiting.peekFirst();
            led = next != null;
        }
        if (next != null) {
            next.promote();
        }
    }
}
