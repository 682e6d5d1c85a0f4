package dev.orrery.sql.function;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.sql.memory.Workspace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The patterns of one running query, compiled once: most queries match every item against the same few. */
public final class Patterns {
    // Patterns may come from the items, one for each; then keeping them is of no use.
    private static final int KEPT_MAX = 64;
    private static final long KEPT_BYTES_MAX = 4 << 20;

    private static final int LIKE_STEP_BYTES = 48;
    private static final int REGEX_STEP_BYTES = 192;

    private sealed interface Key {
        record Like(String pattern, Optional<String> escape) implements Key {}

        record Regex(String pattern, int flags) implements Key {}
    }

    private final Map<Key, Object> kept = new HashMap<>();
    private final Workspace workspace;
    private final Workspace.Shelf shelf;

    Patterns(Workspace workspace) {
        this.workspace = workspace;
        this.shelf = workspace.shelf();
    }

    public LikePattern like(String pattern, Optional<String> escape) {
        var key = new Key.Like(pattern, escape);
        var known = (LikePattern) kept.get(key);
        return known == null
                ? keep(key, (long) LIKE_STEP_BYTES * pattern.length(), () -> LikePattern.of(pattern, escape))
                : known;
    }

    Pattern regex(String pattern, int flags) {
        var key = new Key.Regex(pattern, flags);
        var known = (Pattern) kept.get(key);
        return known == null
                ? keep(key, REGEX_STEP_BYTES * RegexSize.demanded(pattern), () -> compile(pattern, flags))
                : known;
    }

    private <T> T keep(Key key, long bytes, Supplier<T> making) {
        workspace.build(bytes);
        var made = making.get();
        if (kept.size() >= KEPT_MAX || shelf.held() + bytes > KEPT_BYTES_MAX) {
            kept.clear();
            shelf.remove(shelf.held());
        }
        if (bytes <= KEPT_BYTES_MAX) {
            shelf.add(bytes);
            kept.put(key, made);
        }
        return made;
    }

    private static Pattern compile(String pattern, int flags) {
        try {
            return Pattern.compile(pattern, flags);
        } catch (PatternSyntaxException malformed) {
            throw new FailureException(new Failure.BadRequest(
                    "The regular expression '" + pattern + "' is not supported: " + malformed.getDescription() + "."));
        } catch (StackOverflowError tooDeep) {
            throw RegexSize.tooLarge();
        }
    }
}
