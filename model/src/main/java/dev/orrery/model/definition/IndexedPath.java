package dev.orrery.model.definition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.IndexPath.Ending;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.regex.Pattern;

/** A path that a policy includes in the index or excludes from it, with whatever else the client said about it. */
public record IndexedPath(IndexPath path, Obj others) {
    /** A part of a path that is right as it stands. */
    private static final Pattern PLAIN_PART = Pattern.compile("\\w+|\\?|\\*|\\[\\d*\\]|\".*\"|'.*'|\\{.*\\}");

    private static final Pattern ENDED = Pattern.compile("/[?*]$");

    static IndexedPath included(MemberReader json) {
        return read(json);
    }

    static IndexedPath excluded(MemberReader json) {
        var excluded = read(json);
        if (excluded.path.isTuple()) {
            throw json.refusal("path", "is a tuple, which can be included but not excluded.");
        }
        return excluded;
    }

    static IndexedPath of(String path) {
        return new IndexedPath(IndexPath.parse("path", path), Obj.EMPTY);
    }

    private static IndexedPath read(MemberReader json) {
        var text = json.requiredText("path");
        // An old spelling of everything, which clients still send.
        var path = parse(json.place("path"), text.equals("/") ? "/*" : text);
        if (path.ending() == Ending.NONE) {
            throw json.refusal(
                    "path",
                    "is '" + path.text() + "', but must end with /? (a value) or /* (all below)." + proposal(text));
        }
        return new IndexedPath(path, json.others());
    }

    private static IndexPath parse(String place, String text) {
        try {
            return IndexPath.parse(place, text);
        } catch (FailureException refused) {
            throw new FailureException(new Failure.BadRequest(refused.getMessage() + proposal(text)));
        }
    }

    /** What was probably meant: odd names in quotes, and an ending; empty when that is no path either. */
    private static String proposal(String text) {
        var spelled = new StringBuilder();
        for (var part : text.split("/", -1)) {
            if (!part.isEmpty()) {
                spelled.append('/').append(PLAIN_PART.matcher(part).matches() ? part : IndexPath.spelled(part));
            }
        }
        if (!ENDED.matcher(spelled).find()) {
            spelled.append("/?");
        }
        try {
            return " Did you mean '" + IndexPath.parse("path", spelled.toString()) + "'?";
        } catch (FailureException unclear) {
            return "";
        }
    }

    Obj toJson() {
        return Obj.builder().put("path", path.text()).putAll(others).build();
    }
}
