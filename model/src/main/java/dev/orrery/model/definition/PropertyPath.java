package dev.orrery.model.definition;

import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonPath;
import java.util.regex.Pattern;

/** Reads a path that leads to one property of an item: that of a unique key, a vector or a text. */
final class PropertyPath {
    /** What has a meaning in the paths of an index and none here. */
    private static final Pattern WILDCARD = Pattern.compile("\\?|\\*|\\[\\d*\\]");

    private PropertyPath() {}

    static JsonPath read(String place, String text) {
        var path = parse(place, text);
        check(place, path);
        return path;
    }

    static void check(String place, JsonPath path) {
        if (path.text().length() > Limits.PATH_CHARACTERS_MAX) {
            throw MemberReader.refusalAt(
                    place, "has a path longer than " + Limits.PATH_CHARACTERS_MAX + " characters.");
        }
        boolean wildcards = path.names().stream()
                .anyMatch(
                        name -> WILDCARD.matcher(name).matches() && !path.text().contains('"' + name + '"'));
        if (wildcards) {
            throw MemberReader.refusalAt(
                    place,
                    "is '" + path + "', but must name one property, as in /a/b: no ?, * or []."
                            + PathProposal.single(path.text()));
        }
    }

    private static JsonPath parse(String place, String text) {
        try {
            return JsonPath.parse(text);
        } catch (FailureException refused) {
            throw MemberReader.refusalAt(place, "is not a path. " + refused.getMessage() + PathProposal.single(text));
        }
    }
}
