package dev.orrery.sql.function;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The patterns of one running query, compiled once: most queries match every item against the same few. */
public final class Patterns {
    // Patterns may come from the items, one for each; then keeping them is of no use.
    private static final int KEPT_MAX = 64;

    private record LikeKey(String pattern, Optional<String> escape) {}

    private record RegexKey(String pattern, int flags) {}

    private final Map<LikeKey, LikePattern> likes = new HashMap<>();
    private final Map<RegexKey, Pattern> regexes = new HashMap<>();

    public LikePattern like(String pattern, Optional<String> escape) {
        return kept(likes).computeIfAbsent(new LikeKey(pattern, escape), _ -> LikePattern.of(pattern, escape));
    }

    Pattern regex(String pattern, int flags) {
        return kept(regexes).computeIfAbsent(new RegexKey(pattern, flags), _ -> compile(pattern, flags));
    }

    private static Pattern compile(String pattern, int flags) {
        try {
            return Pattern.compile(pattern, flags);
        } catch (PatternSyntaxException malformed) {
            throw new FailureException(new Failure.BadRequest(
                    "The regular expression '" + pattern + "' is not supported: " + malformed.getDescription() + "."));
        }
    }

    private static <K, V> Map<K, V> kept(Map<K, V> patterns) {
        if (patterns.size() >= KEPT_MAX) {
            patterns.clear();
        }
        return patterns;
    }
}
