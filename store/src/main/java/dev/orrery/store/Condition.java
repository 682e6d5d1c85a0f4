package dev.orrery.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a store is doing, in words for people.
 *
 * @param stopped why it takes no writes at present; empty while it does
 * @param warning what is about to stop them
 * @param roomBytes what is left of the disk; empty where there is none
 */
public record Condition(Optional<String> stopped, Optional<String> warning, OptionalLong roomBytes) {

    /** Of a store that nothing can stop. */
    public static final Condition SOUND = new Condition(Optional.empty(), Optional.empty(), OptionalLong.empty());
}
