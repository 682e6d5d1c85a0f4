package dev.orrery.model.definition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.IndexPath.Ending;
import dev.orrery.model.json.JsonPath;
import java.util.regex.Pattern;

/** What was probably meant by a path that cannot be read or has the wrong end, as a sentence behind what is wrong with it. */
final class PathProposal {
    /** A part of a path that is right as it stands. */
    private static final Pattern PLAIN_PART = Pattern.compile("\\w+|\\?|\\*|\\[\\d*\\]|\".*\"|'.*'|\\{.*\\}");

    private static final Pattern ENDED = Pattern.compile("/[?*]$");

    /** What leads to no single value. */
    private static final Pattern OPEN_END = Pattern.compile("(/([?*]|\\[\\d*\\]))+$");

    private PathProposal() {}

    /** Reads a path of an index, and proposes another one if it cannot be read. */
    static IndexPath parse(MemberReader json, String text) {
        try {
            return IndexPath.parse(json.place("path"), text);
        } catch (FailureException refused) {
            throw new FailureException(new Failure.BadRequest(refused.getMessage() + ended(text)));
        }
    }

    /** With odd names in quotes, and an ending; empty when that is no path either. */
    static String ended(String text) {
        var spelled = spelled(text);
        return proposal(ENDED.matcher(spelled).find() ? spelled : spelled + "/?");
    }

    /** With odd names in quotes, and leading to a single property; empty when that is no path either. */
    static String single(String text) {
        var spelled = OPEN_END.matcher(spelled(text)).replaceFirst("");
        try {
            var names = JsonPath.parse(spelled);
            var path = IndexPath.parse("path", spelled);
            boolean isOne = path.ending() == Ending.NONE && path.steps().equals(IndexPath.place(names));
            return isOne ? proposal(spelled) : "";
        } catch (FailureException unclear) {
            return "";
        }
    }

    private static String spelled(String text) {
        var spelled = new StringBuilder();
        for (var part : text.split("/", -1)) {
            if (!part.isEmpty()) {
                spelled.append('/').append(PLAIN_PART.matcher(part).matches() ? part : IndexPath.spelled(part));
            }
        }
        return spelled.toString();
    }

    private static String proposal(String spelled) {
        try {
            return " Did you mean '" + IndexPath.parse("path", spelled) + "'?";
        } catch (FailureException unclear) {
            return "";
        }
    }
}
