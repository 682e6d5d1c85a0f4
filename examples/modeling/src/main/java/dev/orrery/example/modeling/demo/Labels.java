package dev.orrery.example.modeling.demo;

import dev.orrery.example.modeling.Pattern;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;

/** How patterns are called on the command line. */
final class Labels implements Iterable<String> {
    static Optional<Pattern> find(String label) {
        return Arrays.stream(Pattern.values())
                .filter(pattern -> pattern.label().equals(label))
                .findFirst();
    }

    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(Pattern.values()).map(Pattern::label).iterator();
    }
}
