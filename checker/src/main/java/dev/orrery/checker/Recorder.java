package dev.orrery.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Takes notes of what clients do, from any thread. */
public final class Recorder {
    private final LongSupplier clock;
    private final List<Operation> operations = new ArrayList<>();

    /** @param clock never goes back, and is the same for all threads, such as {@code System::nanoTime} */
    public Recorder(LongSupplier clock) {
        this.clock = clock;
    }

    /** Called right before a request is sent. */
    public Pending begin(int session) {
        return new Pending(session, clock.getAsLong());
    }

    /** What has ended so far. A write that never ends is missing, so end it, as {@link Outcome#UNKNOWN}, too. */
    public List<Operation> operations() {
        synchronized (operations) {
            return List.copyOf(operations);
        }
    }

    /** A request that was sent. */
    public final class Pending {
        private final int session;
        private final long begin;

        private Pending(int session, long begin) {
            this.session = session;
            this.begin = begin;
        }

        /** Called right after the answer has come. */
        public void end(Action action, Outcome outcome) {
            long end = clock.getAsLong();
            synchronized (operations) {
                operations.add(new Operation(session, begin, end, action, outcome));
            }
        }
    }
}
