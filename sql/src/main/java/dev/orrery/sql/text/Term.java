package dev.orrery.sql.text;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is searched in a text: a word, or several words that stand together.
 *
 * @param editsMax in how many letters each word may differ
 */
public record Term(String text, int editsMax) {
    static final int EDITS_MAX = 2;

    /** The terms that values stand for; empty when one of them stands for none. */
    public static Optional<List<Term>> all(List<JsonValue> values) {
        var terms = new ArrayList<Term>(values.size());
        for (var value : values) {
            switch (value) {
                case Str(String text) -> terms.add(new Term(text, 0));
                case Obj object
                when object.member("term") instanceof Str(String text) ->
                    terms.add(new Term(text, edits(object.member("distance"))));
                default -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(terms);
    }

    /** Whether a value stands for a term that no function refuses. */
    static boolean isTerm(JsonValue value) {
        return switch (value) {
            case Str _ -> true;
            case Obj object ->
                object.member("term") instanceof Str
                        && (object.member("distance").isUndefined() || isEdits(object.member("distance")));
            case JsonValue.Undefined _, JsonValue.Null _, JsonValue.Bool _, Num _, JsonValue.Arr _ -> false;
        };
    }

    private static boolean isEdits(JsonValue distance) {
        return distance instanceof Num(double edits, var _)
                && edits == Math.rint(edits)
                && edits >= 0
                && edits <= EDITS_MAX;
    }

    private static int edits(JsonValue distance) {
        if (distance.isUndefined()) {
            return 0;
        }
        if (distance instanceof Num(double edits, var _) && isEdits(distance)) {
            return (int) edits;
        }
        throw new FailureException(new Failure.BadRequest(
                "The distance of a search term must be a whole number from 0 to " + EDITS_MAX + "."));
    }
}
