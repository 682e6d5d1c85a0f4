package dev.orrery.model.json;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The members of an object that stays text until someone asks for all of them; never changes. A repeated name has its
 * last value, at the place where the name first appears.
 */
class ObjectText extends AbstractMap<String, JsonValue> {
    private final byte[] text;
    private final int start;
    private final int end;

    // Two threads may both fill it, with equal maps, which their wrapper publishes safely.
    private Map<String, JsonValue> members;

    ObjectText(byte[] text, int start, int end) {
        this.text = text;
        this.start = start;
        this.end = end;
    }

    /** The place of a member's value as a {@link JsonText#span}; those who know a quicker way than walking override it. */
    long find(String name) {
        return JsonText.find(text, start, name);
    }

    final byte[] text() {
        return text;
    }

    final int start() {
        return start;
    }

    final int end() {
        return end;
    }

    /** Whether somebody has asked for all members, so that it is more than text by now. */
    final boolean isUnfolded() {
        return members != null;
    }

    @Override
    public final JsonValue get(Object name) {
        var known = members;
        if (known != null) {
            return known.get(name);
        }
        long span = find((String) name);
        return span == JsonText.NONE ? null : JsonText.value(text, JsonText.spanStart(span), JsonText.spanEnd(span));
    }

    @Override
    public final boolean containsKey(Object name) {
        return get(name) != null;
    }

    @Override
    public final Set<Entry<String, JsonValue>> entrySet() {
        var known = members;
        if (known == null) {
            known = Collections.unmodifiableMap(read());
            members = known;
        }
        return known.entrySet();
    }

    private Map<String, JsonValue> read() {
        var read = new LinkedHashMap<String, JsonValue>();
        JsonText.members(
                text,
                start,
                (nameStart, nameEnd, valueStart, valueEnd) -> read.put(
                        JsonText.string(text, nameStart, nameEnd), JsonText.value(text, valueStart, valueEnd)));
        return read;
    }
}
