package dev.orrery.sql.function;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All built-in functions but the aggregates. */
public final class Builtins {
    private static final List<Builtin> ALL = Stream.of(
                    TypeFunctions.TABLE,
                    StringFunctions.TABLE,
                    RegexFunctions.TABLE,
                    ConversionFunctions.TABLE,
                    MathFunctions.TABLE,
                    IntegerFunctions.TABLE,
                    ArrayFunctions.TABLE,
                    DateFunctions.TABLE,
                    TextFunctions.TABLE,
                    SpatialFunctions.TABLE,
                    VectorFunctions.TABLE,
                    OtherFunctions.TABLE)
            .flatMap(List::stream)
            .toList();

    private static final Map<String, Builtin> BY_NAME = ALL.stream()
            .flatMap(builtin -> builtin.names().stream().map(name -> Map.entry(name, builtin)))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private Builtins() {}

    public static List<Builtin> all() {
        return ALL;
    }

    public static Optional<Builtin> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name.toUpperCase(Locale.ROOT)));
    }
}
