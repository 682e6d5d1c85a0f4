package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import java.util.List;

/**
 * One row of the table of functions.
 *
 * @param names its spellings in capitals, the documented one first
 * @param example a call, for the manual and for the test that runs every row
 * @param result what the example gives, as JSON text, or {@code undefined}
 * @param undefinedArguments whether the body is called with undefined arguments; otherwise the result is undefined then
 */
public record Builtin(
        Group group,
        List<String> names,
        int argumentsMin,
        int argumentsMax,
        String example,
        String result,
        boolean undefinedArguments,
        Body body) {

    /** For functions that take as many arguments as one likes. */
    public static final int MANY = Integer.MAX_VALUE;

    public Builtin {
        names = List.copyOf(names);
    }

    /** The sections of the manual. */
    public enum Group {
        TYPE,
        STRING,
        MATH,
        INTEGER,
        ARRAY,
        DATE,
        CONDITIONAL,
        ITEM
    }

    @FunctionalInterface
    public interface Body {
        JsonValue apply(JsonValue[] arguments, CallContext context);
    }

    /** A function that is undefined as soon as one of its arguments is. */
    static Builtin row(
            Group group, String names, int argumentsMin, int argumentsMax, String example, String result, Body body) {
        return new Builtin(group, List.of(names.split(" ")), argumentsMin, argumentsMax, example, result, false, body);
    }

    /** A function that wants to see its undefined arguments. */
    static Builtin lenient(
            Group group, String names, int argumentsMin, int argumentsMax, String example, String result, Body body) {
        return new Builtin(group, List.of(names.split(" ")), argumentsMin, argumentsMax, example, result, true, body);
    }

    public String name() {
        return names.getFirst();
    }

    public boolean accepts(int arguments) {
        return arguments >= argumentsMin && arguments <= argumentsMax;
    }

    public String argumentsInWords() {
        if (argumentsMax == MANY) {
            return argumentsMin + " or more";
        }
        return argumentsMin == argumentsMax ? "" + argumentsMin : argumentsMin + " to " + argumentsMax;
    }

    public JsonValue call(JsonValue[] arguments, CallContext context) {
        if (!undefinedArguments) {
            for (var argument : arguments) {
                if (argument.isUndefined()) {
                    return JsonValue.UNDEFINED;
                }
            }
        }
        return body.apply(arguments, context);
    }
}
