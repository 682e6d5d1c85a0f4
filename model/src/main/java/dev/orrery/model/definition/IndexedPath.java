package dev.orrery.model.definition;

import dev.orrery.model.definition.IndexPath.Ending;
import dev.orrery.model.json.JsonValue.Obj;

/** A path that a policy includes in the index or excludes from it, with whatever else the client said about it. */
public record IndexedPath(IndexPath path, Obj others) {
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
        var path = PathProposal.parse(json, text.equals("/") ? "/*" : text);
        if (path.ending() == Ending.NONE) {
            throw json.refusal(
                    "path",
                    "is '" + path.text() + "', but must end with /? (a value) or /* (all below)."
                            + PathProposal.ended(text));
        }
        return new IndexedPath(path, json.others());
    }

    Obj toJson() {
        return Obj.builder().put("path", path.text()).putAll(others).build();
    }
}
