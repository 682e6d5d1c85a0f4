package dev.orrery.model.json;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;

/** The elements of an array that stays text until someone asks for one of them; never changes. */
final class ArrayText extends AbstractList<JsonValue> implements RandomAccess {
    private final byte[] text;
    private final int start;
    private final int end;

    // Two threads may both fill it, with equal immutable lists, which List.copyOf publishes safely.
    private List<JsonValue> items;

    ArrayText(byte[] text, int start, int end) {
        this.text = text;
        this.start = start;
        this.end = end;
    }

    byte[] text() {
        return text;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** Whether somebody has looked inside, so that it is more than text by now. */
    boolean isUnfolded() {
        return items != null;
    }

    @Override
    public JsonValue get(int position) {
        return items().get(position);
    }

    @Override
    public int size() {
        return items().size();
    }

    private List<JsonValue> items() {
        var known = items;
        if (known == null) {
            known = read();
            items = known;
        }
        return known;
    }

    private List<JsonValue> read() {
        var read = new ArrayList<JsonValue>();
        JsonText.elements(text, start, (from, to) -> read.add(JsonText.value(text, from, to)));
        return List.copyOf(read);
    }
}
