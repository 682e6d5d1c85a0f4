package dev.orrery.example.modeling.demo;

import dev.orrery.example.modeling.Pattern;
import java.util.Arrays;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Finds a pattern by its label, and knows all labels. */
final class PatternByLabel implements ITypeConverter<Pattern>, Iterable<String> {
    @Override
    public Pattern convert(String label) {
        return Arrays.stream(Pattern.values())
                .filter(pattern -> pattern.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "There is no pattern '" + label + "'; there are: " + String.join(", ", this) + "."));
    }

    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(Pattern.values()).map(Pattern::label).iterator();
    }
}
