package dev.orrery.model.definition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.SystemProperties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads one object of a definition member by member, says what is wrong and where, and keeps the members that nobody
 * asked for. A member that is null counts as missing.
 */
final class MemberReader {
    private final String where;
    private final Obj object;
    private final Set<String> known = new HashSet<>();

    private MemberReader(String where, Obj object) {
        this.where = where;
        this.object = object;
    }

    static MemberReader of(Obj body) {
        return new MemberReader("", body);
    }

    /** The path of a member from the top of the body, as in {@code indexingPolicy.includedPaths[2].path}. */
    String place(String member) {
        return where.isEmpty() ? member : where + "." + member;
    }

    /** The path of this object itself. */
    String place() {
        return where;
    }

    JsonValue value(String member) {
        known.add(member);
        var value = object.member(member);
        return value.equals(JsonValue.NULL) ? JsonValue.UNDEFINED : value;
    }

    boolean has(String member) {
        return !value(member).isUndefined();
    }

    Optional<String> text(String member) {
        return switch (value(member)) {
            case JsonValue.Undefined _ -> Optional.empty();
            case Str(String text) -> Optional.of(text);
            case JsonValue _ -> throw refusal(member, "must be a string.");
        };
    }

    String requiredText(String member) {
        return text(member)
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> refusal(member, "is required and must be a string that is not empty."));
    }

    Optional<Boolean> flag(String member) {
        return switch (value(member)) {
            case JsonValue.Undefined _ -> Optional.empty();
            case Bool(boolean flag) -> Optional.of(flag);
            case JsonValue _ -> throw refusal(member, "must be true or false.");
        };
    }

    Optional<Double> number(String member) {
        return switch (value(member)) {
            case JsonValue.Undefined _ -> Optional.empty();
            case Num(double number, var _) -> Optional.of(number);
            case JsonValue _ -> throw refusal(member, "must be a number.");
        };
    }

    Optional<Integer> whole(String member, int min, int max) {
        return number(member).map(number -> {
            if (number != Math.rint(number) || number < min || number > max) {
                throw refusal(member, "must be a whole number from " + min + " to " + max + ".");
            }
            return number.intValue();
        });
    }

    <E extends Enum<E> & Spelled> Optional<E> choice(String member, Class<E> choices) {
        return text(member).map(text -> choose(place(member), text, choices));
    }

    static <E extends Enum<E> & Spelled> E choose(String place, String text, Class<E> choices) {
        var all = choices.getEnumConstants();
        return Arrays.stream(all)
                .filter(choice -> choice.spelling().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> refusalAt(
                        place,
                        "is '" + text + "', but must be one of "
                                + Arrays.stream(all).map(Spelled::spelling).collect(Collectors.joining(", ")) + "."));
    }

    Optional<MemberReader> object(String member) {
        return switch (value(member)) {
            case JsonValue.Undefined _ -> Optional.empty();
            case Obj nested -> Optional.of(new MemberReader(place(member), nested));
            case JsonValue _ -> throw refusal(member, "must be an object.");
        };
    }

    /** The elements of an array; empty when the member is missing. */
    List<JsonValue> array(String member, int countMax) {
        return switch (value(member)) {
            case JsonValue.Undefined _ -> List.of();
            case Arr(List<JsonValue> items) when items.size() <= countMax -> items;
            case Arr(List<JsonValue> items) ->
                throw refusal(member, "has " + items.size() + " entries, but may have " + countMax + " at most.");
            case JsonValue _ -> throw refusal(member, "must be an array.");
        };
    }

    JsonPath requiredPath(String member) {
        return PropertyPath.read(place(member), requiredText(member));
    }

    List<JsonPath> paths(String member, int countMax) {
        return texts(member, countMax).stream()
                .map(text -> PropertyPath.read(place(member), text))
                .toList();
    }

    /** An array whose elements are objects. */
    <T> List<T> objects(String member, int countMax, Function<MemberReader, T> read) {
        return objects(place(member), array(member, countMax), read);
    }

    static <T> List<T> objects(String place, List<JsonValue> items, Function<MemberReader, T> read) {
        var results = new ArrayList<T>(items.size());
        for (int i = 0; i < items.size(); i++) {
            var placeOfItem = place + "[" + i + "]";
            if (!(items.get(i) instanceof Obj nested)) {
                throw refusalAt(placeOfItem, "must be an object.");
            }
            results.add(read.apply(new MemberReader(placeOfItem, nested)));
        }
        return List.copyOf(results);
    }

    /** An array whose elements are strings. */
    List<String> texts(String member, int countMax) {
        var texts = new ArrayList<String>();
        for (var item : array(member, countMax)) {
            if (!(item instanceof Str(String text))) {
                throw refusal(member, "must be an array of strings.");
            }
            texts.add(text);
        }
        return List.copyOf(texts);
    }

    /** The id of a resource, passing over what only the server says of it. */
    String resourceId(List<String> childSegments) {
        passOverSystemProperties();
        ignore(childSegments.stream().map(Definition::linkName).toList());
        return ResourceName.validate(requiredText("id"));
    }

    /** The id of a script, likewise. */
    String scriptId() {
        passOverSystemProperties();
        return ResourceName.validateOfScript(requiredText("id"));
    }

    private void passOverSystemProperties() {
        object.members().keySet().stream()
                .filter(SystemProperties::isSystemName)
                .forEach(known::add);
    }

    /** Members that a client may send back but that only the server says. */
    void ignore(Collection<String> members) {
        known.addAll(members);
    }

    /** Everything that was not asked for, as the client sent it. */
    Obj others() {
        var others = Obj.builder();
        object.members().forEach((name, value) -> {
            if (!known.contains(name)) {
                others.put(name, value);
            }
        });
        return others.build();
    }

    /** What to throw about one member. */
    FailureException refusal(String member, String problem) {
        return refusalAt(place(member), problem);
    }

    static FailureException refusalAt(String place, String problem) {
        return new FailureException(new Failure.BadRequest(place + " " + problem));
    }
}
