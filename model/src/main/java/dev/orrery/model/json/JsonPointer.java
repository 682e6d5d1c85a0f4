package dev.orrery.model.json;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.ArrayList;
import java.util.List;

/**
 * The way to a value in a document, through objects and arrays: {@code /a/0/b}, with {@code ~1} for a slash and
 * {@code ~0} for a tilde in a name (RFC 6901). It never means the document itself.
 */
record JsonPointer(List<String> tokens, String text) {
    /** In place of an index: behind the last element of an array. */
    static final String END = "-";

    private static final int INDEX_DIGITS_MAX = 9;

    JsonPointer {
        tokens = List.copyOf(tokens);
    }

    static JsonPointer parse(String text) {
        if (!text.startsWith("/")) {
            throw new FailureException(new Failure.BadRequest("The path '" + text + "' must begin with a slash."));
        }
        var tokens = new ArrayList<String>();
        for (var token : text.substring(1).split("/", -1)) {
            // In this order, so that ~01 becomes ~1 and not a slash.
            tokens.add(token.replace("~1", "/").replace("~0", "~"));
        }
        return new JsonPointer(tokens, text);
    }

    String last() {
        return tokens.getLast();
    }

    boolean isInside(JsonPointer other) {
        return tokens.size() > other.tokens.size() && startsWith(other.tokens);
    }

    /** Whether one leads through the other, in either direction. */
    boolean meets(List<String> names) {
        return startsWith(names)
                || names.subList(0, Math.min(names.size(), tokens.size())).equals(tokens);
    }

    private boolean startsWith(List<String> names) {
        return tokens.size() >= names.size() && tokens.subList(0, names.size()).equals(names);
    }

    /** The index that a token is, -1 if it is none. */
    static int index(String token) {
        boolean digits = !token.isEmpty()
                && token.length() <= INDEX_DIGITS_MAX
                && token.chars().allMatch(character -> character >= '0' && character <= '9');
        boolean leadingZero = token.length() > 1 && token.charAt(0) == '0';
        return digits && !leadingZero ? Integer.parseInt(token) : -1;
    }

    @Override
    public String toString() {
        return text;
    }
}
