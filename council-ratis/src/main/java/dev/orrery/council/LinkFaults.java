package dev.orrery.council;

/** Faults that somebody wants to see between members; asked before every message and again when its answer has come. */
public interface LinkFaults {
    LinkFaults NONE = new LinkFaults() {
        @Override
        public boolean isCut(String member) {
            return false;
        }

        @Override
        public long delayMillis(String member) {
            return 0;
        }
    };

    /** Whether nothing may pass to or from that member. */
    boolean isCut(String member);

    /** How long each message to that member is held up on its way. */
    long delayMillis(String member);
}
