package dev.orrery.model.json;

import dev.orrery.model.json.JsonValue.Obj;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A document while it is patched: open along the ways that operations went, and elsewhere still the text that it was, so
 * that what nobody touched keeps its spelling.
 *
 * <p>Complaints are half sentences; whoever asked knows which operation it was.
 */
final class PatchTree {
    /** Why an operation cannot be done. */
    static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refusal(String complaint) {
            super(complaint, null, false, false);
        }
    }

    private sealed interface Node {
        /** What is not open: a scalar, or an object or array that nobody has looked into. */
        record Closed(RawJson raw) implements Node {}

        record OpenObject(Map<String, Node> members) implements Node {}

        record OpenArray(List<Node> elements) implements Node {}
    }

    private final Node.OpenObject root;

    PatchTree(Obj document) {
        root = openObject(RawJson.of(document));
    }

    Obj result() {
        var text = new JsonWriter();
        write(root, text);
        return (Obj) JsonReader.parse(text.toBytes());
    }

    private static void write(Node node, JsonWriter text) {
        switch (node) {
            case Node.Closed(RawJson raw) -> text.raw(raw.text(), raw.start(), raw.end() - raw.start());
            case Node.OpenObject(var members) -> {
                var separator = "{";
                for (var member : members.entrySet()) {
                    text.raw(separator).name(member.getKey());
                    write(member.getValue(), text);
                    separator = ",";
                }
                text.raw(members.isEmpty() ? "{}" : "}");
            }
            case Node.OpenArray(var elements) -> {
                var separator = "[";
                for (var element : elements) {
                    text.raw(separator);
                    write(element, text);
                    separator = ",";
                }
                text.raw(elements.isEmpty() ? "[]" : "]");
            }
        }
    }

    /** Puts a value where there may be one; in an array, before the element that is there. */
    void add(JsonPointer path, RawJson value) {
        add(path, new Node.Closed(value));
    }

    private void add(JsonPointer path, Node value) {
        switch (parent(path)) {
            case Node.OpenObject(var members) -> members.put(path.last(), value);
            case Node.OpenArray(var elements) -> elements.add(place(elements, path.last()), value);
            case Node.Closed _ -> throw leadsNowhere(path.last());
        }
    }

    /** Puts a value where there may be one, also in an array. */
    void set(JsonPointer path, RawJson value) {
        var node = new Node.Closed(value);
        switch (parent(path)) {
            case Node.OpenObject(var members) -> members.put(path.last(), node);
            case Node.OpenArray(var elements) -> {
                int place = place(elements, path.last());
                if (place == elements.size()) {
                    elements.add(node);
                } else {
                    elements.set(place, node);
                }
            }
            case Node.Closed _ -> throw leadsNowhere(path.last());
        }
    }

    /** Puts a value where there is one. */
    void replace(JsonPointer path, RawJson value) {
        put(path, new Node.Closed(value));
    }

    private void put(JsonPointer path, Node value) {
        switch (parent(path)) {
            case Node.OpenObject(var members) -> {
                if (members.replace(path.last(), value) == null) {
                    throw nothingThere();
                }
            }
            case Node.OpenArray(var elements) -> elements.set(existing(elements, path.last()), value);
            case Node.Closed _ -> throw leadsNowhere(path.last());
        }
    }

    /** Takes away a value that is there. */
    void remove(JsonPointer path) {
        take(path);
    }

    private Node take(JsonPointer path) {
        var taken = switch (parent(path)) {
            case Node.OpenObject(var members) -> members.remove(path.last());
            case Node.OpenArray(var elements) -> elements.remove(existing(elements, path.last()));
            case Node.Closed _ -> throw leadsNowhere(path.last());
        };
        if (taken == null) {
            throw nothingThere();
        }
        return taken;
    }

    /** Adds to a number, or puts one where nothing was. */
    void increment(JsonPointer path, RawJson amount) {
        var current = switch (parent(path)) {
            case Node.OpenObject(var members) -> members.get(path.last());
            case Node.OpenArray(var elements) -> elements.get(existing(elements, path.last()));
            case Node.Closed _ -> throw leadsNowhere(path.last());
        };
        if (current == null) {
            add(path, amount);
        } else if (current instanceof Node.Closed(RawJson raw) && raw.isNumber()) {
            var sum = raw.plus(amount);
            if (!sum.isNumber()) {
                throw new Refusal("the sum is beyond the range of a double");
            }
            replace(path, sum);
        } else {
            throw new Refusal("there is something at this path that is not a number");
        }
    }

    /** Takes a value away and adds it somewhere else. */
    void move(JsonPointer from, JsonPointer path) {
        if (path.isInside(from)) {
            throw new Refusal("a value cannot be moved into itself");
        }
        add(path, take(from));
    }

    /** The object or array that a path ends in. */
    private Node parent(JsonPointer path) {
        Node node = root;
        var tokens = path.tokens();
        for (var token : tokens.subList(0, tokens.size() - 1)) {
            node = child(node, token);
        }
        return node;
    }

    private static Node child(Node node, String token) {
        return switch (node) {
            case Node.OpenObject(var members) -> {
                var child = members.get(token);
                if (child == null) {
                    throw leadsNowhere(token);
                }
                var open = open(child);
                members.put(token, open);
                yield open;
            }
            case Node.OpenArray(var elements) -> {
                int index = existing(elements, token);
                var open = open(elements.get(index));
                elements.set(index, open);
                yield open;
            }
            case Node.Closed _ -> throw leadsNowhere(token);
        };
    }

    private static Node open(Node node) {
        return switch (node) {
            case Node.Closed(RawJson raw) when raw.isObject() -> openObject(raw);
            case Node.Closed(RawJson raw) when raw.isArray() -> openArray(raw);
            case Node.Closed _, Node.OpenObject _, Node.OpenArray _ -> node;
        };
    }

    private static Node.OpenObject openObject(RawJson raw) {
        var members = new LinkedHashMap<String, Node>();
        var text = raw.text();
        JsonText.members(
                text,
                raw.start(),
                (nameStart, nameEnd, valueStart, valueEnd) -> members.put(
                        JsonText.string(text, nameStart, nameEnd),
                        new Node.Closed(new RawJson(text, valueStart, valueEnd))));
        return new Node.OpenObject(members);
    }

    private static Node.OpenArray openArray(RawJson raw) {
        var elements = new ArrayList<Node>();
        JsonText.elements(
                raw.text(),
                raw.start(),
                (start, end) -> elements.add(new Node.Closed(new RawJson(raw.text(), start, end))));
        return new Node.OpenArray(elements);
    }

    /** Where an element may be put: at one that exists, or behind the last one. */
    private static int place(List<Node> elements, String token) {
        int index = token.equals(JsonPointer.END) ? elements.size() : JsonPointer.index(token);
        if (index < 0 || index > elements.size()) {
            throw noSuchIndex(elements, token);
        }
        return index;
    }

    private static int existing(List<Node> elements, String token) {
        int index = JsonPointer.index(token);
        if (index < 0 || index >= elements.size()) {
            throw noSuchIndex(elements, token);
        }
        return index;
    }

    private static Refusal noSuchIndex(List<Node> elements, String token) {
        return new Refusal("'" + token + "' is not an index of an array with " + elements.size() + " elements");
    }

    private static Refusal nothingThere() {
        return new Refusal("there is nothing at this path");
    }

    /** @param token the first part of the path that is not there, in words that clients look for */
    private static Refusal leadsNowhere(String token) {
        return new Refusal("the path leads through something that is no object or array, or not there; no path found"
                + " beyond: '" + token + "'");
    }
}
