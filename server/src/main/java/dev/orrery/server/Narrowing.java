package dev.orrery.server;

import dev.orrery.engine.catalog.Location;
import dev.orrery.gateway.http.HttpRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which containers a report is to tell of: {@code ?database=shop&container=orders&like=ord&limit=500}, each of which may
 * be left out.
 *
 * @param like a part of the container's name, in capitals or not
 */
record Narrowing(Optional<String> database, Optional<String> container, Optional<String> like, long limit) {
    static final Narrowing NONE = new Narrowing(Optional.empty(), Optional.empty(), Optional.empty(), Long.MAX_VALUE);

    static Narrowing of(HttpRequest request) {
        Map<String, String> given = Arrays.stream(request.rawQuery().split("&"))
                .map(part -> part.split("=", 2))
                .filter(part -> part.length == 2)
                .collect(Collectors.toMap(part -> part[0], part -> decoded(part[1]), (first, _) -> first));
        return new Narrowing(
                Optional.ofNullable(given.get("database")),
                Optional.ofNullable(given.get("container")),
                Optional.ofNullable(given.get("like")).map(Narrowing::folded),
                limit(given.getOrDefault("limit", "")));
    }

    /** What is no number limits nothing. */
    private static long limit(String text) {
        return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : Long.MAX_VALUE;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return text;
        }
    }

    <T> Stream<T> of(Stream<T> all, Function<T, Location> location) {
        return all.filter(one -> fits(location.apply(one))).limit(limit);
    }

    private boolean fits(Location location) {
        return database.map(location.database()::equals).orElse(true)
                && container.map(location.container()::equals).orElse(true)
                && like.map(folded(location.container())::contains).orElse(true);
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
