package dev.orrery.region;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Where the regions agree on their {@link Charter}. */
public interface Council extends AutoCloseable {
    /** The last charter that is known here; others may know a later one. */
    Charter charter();

    /**
     * Proposes the charter that follows: its version is one more than that of the last one. Fails with {@link
     * CharterChangedException} when another was quicker, and with {@link CouncilSilentException} when too few answer.
     */
    CompletionStage<Charter> change(Charter next);

    /** Takes over a later charter that another region has told; a council that votes leaves that to its votes. */
    default boolean adopt(Charter other) {
        return false;
    }

    /** Has somebody told of each charter from now on, in order; he must be quick. */
    void watch(Consumer<Charter> watcher);

    /** Whether this region may take writes: it is the write region, and no other can have become it meanwhile. */
    boolean isLeased();

    @Override
    void close();

    /** Another charter has come into force than the one that a proposal rests on. */
    final class CharterChangedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public CharterChangedException(String message) {
            super(message);
        }
    }

    /** Too few regions answered: nobody knows whether a proposal was accepted. */
    final class CouncilSilentException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public CouncilSilentException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
