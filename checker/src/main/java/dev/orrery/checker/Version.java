package dev.orrery.checker;

import java.util.Optional;

/** What an item was made by one write; it has no value when it was deleted. */
public record Version(String key, Optional<String> value) {
    public static Version of(String key, String value) {
        return new Version(key, Optional.of(value));
    }

    @Override
    public String toString() {
        return key + " = " + value.orElse("none");
    }
}
