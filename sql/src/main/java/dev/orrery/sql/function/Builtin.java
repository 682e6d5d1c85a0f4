package dev.orrery.sql.function;

import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * One row of the table of functions, which is also their manual.
 *
 * @param names its spellings in capitals, the documented one first
 * @param parameters the names of its arguments; one that ends in {@code ?} may be left out, one that ends in
 *     {@code ...} may be repeated, and before an argument that must be an integer stands {@code integer}
 * @param description one sentence on what it gives
 * @param example a call, for the manual and for the test that runs every row
 * @param result what the example gives, as JSON text, or {@code undefined}
 * @param undefinedArguments whether the body is called with undefined arguments; otherwise the result is undefined then
 * @param binding gives the body for the container that a query is about
 * @param body what is done; as in a container without settings until {@link #bind} is asked
 */
public record Builtin(
        Group group,
        List<String> names,
        List<String> parameters,
        String description,
        String example,
        String result,
        boolean undefinedArguments,
        Binding binding,
        Body body) {

    private static final String INTEGER = "integer ";

    public Builtin {
        names = List.copyOf(names);
        parameters = List.copyOf(parameters);
    }

    /** The sections of the manual. */
    public enum Group {
        TYPE("Kinds of values"),
        STRING("Text"),
        MATH("Numbers"),
        INTEGER("64-bit integers"),
        ARRAY("Arrays and objects"),
        DATE("Dates and times"),
        CONDITIONAL("Conditions"),
        SPATIAL("Places and shapes"),
        SEARCH("Search"),
        ITEM("Items");

        private final String title;

        Group(String title) {
            this.title = title;
        }

        public String title() {
            return title;
        }
    }

    @FunctionalInterface
    public interface Body {
        JsonValue apply(JsonValue[] arguments, CallContext context);
    }

    /** Chooses the body of a function whose meaning depends on settings of the container. */
    @FunctionalInterface
    public interface Binding {
        /**
         * The body for a call.
         *
         * @param paths for each argument the way from the item to it, if it is such a way
         */
        Body bind(ContainerTraits container, List<Optional<JsonPath>> paths);
    }

    /** A function that is undefined as soon as one of its arguments is; see {@link #parameters} for how to list them. */
    static Builtin row(
            Group group,
            String names,
            String parameters,
            String description,
            String example,
            String result,
            Body body) {
        return of(group, names, parameters, description, example, result, false, (_, _) -> body);
    }

    /** A function that is undefined as soon as one of its arguments is, and that depends on settings of the container. */
    static Builtin bound(
            Group group,
            String names,
            String parameters,
            String description,
            String example,
            String result,
            Binding binding) {
        return of(group, names, parameters, description, example, result, false, binding);
    }

    /** A function that wants to see its undefined arguments. */
    static Builtin lenient(
            Group group,
            String names,
            String parameters,
            String description,
            String example,
            String result,
            Body body) {
        return of(group, names, parameters, description, example, result, true, (_, _) -> body);
    }

    private static Builtin of(
            Group group,
            String names,
            String parameters,
            String description,
            String example,
            String result,
            boolean undefinedArguments,
            Binding binding) {
        var list = Arrays.stream(parameters.split(", "))
                .filter(parameter -> !parameter.isEmpty())
                .toList();
        return new Builtin(
                group,
                List.of(names.split(" ")),
                list,
                description,
                example,
                result,
                undefinedArguments,
                binding,
                binding.bind(ContainerTraits.DEFAULT, Collections.nCopies(list.size(), Optional.empty())));
    }

    public String name() {
        return names.getFirst();
    }

    public int argumentsMin() {
        return (int) parameters.stream()
                .filter(parameter -> !parameter.endsWith("?"))
                .count();
    }

    private boolean takesMany() {
        return !parameters.isEmpty() && parameters.getLast().endsWith("...");
    }

    public boolean accepts(int arguments) {
        return arguments >= argumentsMin() && (takesMany() || arguments <= parameters.size());
    }

    public String argumentsInWords() {
        if (takesMany()) {
            return argumentsMin() + " or more";
        }
        return argumentsMin() == parameters.size() ? "" + argumentsMin() : argumentsMin() + " to " + parameters.size();
    }

    /** The function as it is in a container, called with arguments some of which may be paths into its items. */
    public Builtin bind(ContainerTraits container, List<Optional<JsonPath>> paths) {
        var bound = binding.bind(container, paths);
        return bound.equals(body)
                ? this
                : new Builtin(
                        group, names, parameters, description, example, result, undefinedArguments, binding, bound);
    }

    public JsonValue call(JsonValue[] arguments, CallContext context) {
        for (var index = 0; index < arguments.length; index++) {
            if (!undefinedArguments && arguments[index].isUndefined()) {
                return JsonValue.UNDEFINED;
            }
            if (wantsInteger(index) && !Numbers.isInteger(arguments[index])) {
                return JsonValue.UNDEFINED;
            }
        }
        return body.apply(arguments, context);
    }

    private boolean wantsInteger(int index) {
        return index < parameters.size() && parameters.get(index).startsWith(INTEGER);
    }
}
