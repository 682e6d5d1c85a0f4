package dev.orrery.checker;

import java.util.Map;
import java.util.Optional;

/** What a client asked for, and what a read gave. An item that is not there has no value. */
public sealed interface Action {
    /** Creates, replaces or deletes an item. No two writes of a key have the same value. */
    record Write(String key, Optional<String> value) implements Action {
        public static Write of(String key, String value) {
            return new Write(key, Optional.of(value));
        }

        public static Write delete(String key) {
            return new Write(key, Optional.empty());
        }

        Version version() {
            return new Version(key, value);
        }
    }

    /** Writes an item on the condition that it has a certain value, or is not there. */
    record WriteIf(Optional<String> expected, Write write) implements Action {}

    /** Reads one item, or several at once, as a query does. */
    record Read(Map<String, Optional<String>> seen) implements Action {
        public Read {
            seen = Map.copyOf(seen);
        }

        public static Read of(String key, Optional<String> value) {
            return new Read(Map.of(key, value));
        }
    }
}
