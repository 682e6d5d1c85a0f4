package dev.orrery.bench.charges;

import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.budget.Prices.Price;
import dev.orrery.engine.charge.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes price lists in the form in which the engine reads them, one kind of work to a line. */
final class PriceFile {
    private final Path path;

    PriceFile(Path path) {
        this.path = path;
    }

    void write(Prices... lists) throws IOException {
        Files.writeString(
                path, Arrays.stream(lists).map(PriceFile::list).collect(Collectors.joining(",\n", "{\n", "\n}\n")));
    }

    private static String list(Prices list) {
        return Arrays.stream(Effort.values())
                .filter(effort -> !price(list.of(effort)).equals("{}"))
                .map(effort -> "    \"" + effort.label() + "\": " + price(list.of(effort)))
                .collect(Collectors.joining(",\n", "  \"" + list.name() + "\": {\n", "\n  }"));
    }

    private static String price(Price price) {
        var members = Stream.of(
                price.each() == 0 ? "" : "\"each\": " + price.each(),
                price.perKilobyte() == 0 ? "" : "\"perKilobyte\": " + price.perKilobyte(),
                price.sizes().isEmpty()
                        ? ""
                        : price.sizes().stream()
                                .map(size -> "[" + size.kilobytes() + ", " + size.requestUnits() + "]")
                                .collect(Collectors.joining(", ", "\"sizes\": [", "]")));
        return members.filter(member -> !member.isEmpty()).collect(Collectors.joining(", ", "{", "}"));
    }
}
