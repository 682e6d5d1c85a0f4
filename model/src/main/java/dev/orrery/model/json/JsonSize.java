package dev.orrery.model.json;

import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonValue.Undefined;
import java.util.Arrays;

/**
 * How much memory values take: never less than they do, and not much more. What several places share is counted at each of
 * them.
 */
public final class JsonSize {
    private static final int NUMBER_BYTES = 16;
    private static final int STRING_BYTES = 56;
    private static final int CHARACTER_BYTES = 2;

    /** A value that is still text: where it begins and ends. */
    private static final int SPAN_BYTES = 48;

    private static final int ARRAY_BYTES = 48;
    private static final int ELEMENT_BYTES = 4;
    private static final int OBJECT_BYTES = 192;
    private static final int MEMBER_BYTES = 48;

    private static final byte[] NO_TEXT = {};

    /** What each byte of a text adds at most when somebody looks inside. */
    private static final short[] UNFOLDED_BYTES = new short[256];

    static {
        Arrays.fill(UNFOLDED_BYTES, (short) CHARACTER_BYTES);
        UNFOLDED_BYTES['['] = 160;
        UNFOLDED_BYTES['{'] = 240;
        UNFOLDED_BYTES[','] = 88;
        UNFOLDED_BYTES[':'] = 144;
    }

    private byte[] lastText;

    private JsonSize(byte[] countedText) {
        this.lastText = countedText;
    }

    /** What it takes to keep a value for longer than its item: a part of an item that is text keeps all of it. */
    public static long of(JsonValue value) {
        return new JsonSize(NO_TEXT).size(value);
    }

    /** What it takes to keep a value while an item is there that it may be a part of. */
    public static long beside(JsonValue item, JsonValue value) {
        return switch (value) {
            case Undefined _, Null _, Bool _ -> 0;
            case Num _ -> NUMBER_BYTES;
            case Str(String text) -> STRING_BYTES + (long) CHARACTER_BYTES * text.length();
            case Arr _, Obj _ ->
                new JsonSize(
                                item instanceof Obj object && object.members() instanceof ObjectText text
                                        ? text.text()
                                        : NO_TEXT)
                        .size(value);
        };
    }

    /** What looking inside a value may take besides: nothing for one that is not text, or that was looked into before. */
    public static long unfolding(JsonValue value) {
        return switch (value) {
            case Arr(var items)
            when items instanceof ArrayText text && !text.isUnfolded() ->
                unfolding(text.text(), text.start(), text.end());
            case Obj object
            when object.members() instanceof ObjectText text && !text.isUnfolded() ->
                unfolding(text.text(), text.start(), text.end());
            case Arr(var items) when !(items instanceof ArrayText) -> unfolding(items);
            case Obj object
            when !(object.members() instanceof ObjectText) ->
                unfolding(object.members().values());
            case Undefined _, Null _, Bool _, Num _, Str _, Arr _, Obj _ -> 0;
        };
    }

    private static long unfolding(Iterable<JsonValue> parts) {
        long size = 0;
        for (var part : parts) {
            size += unfolding(part);
        }
        return size;
    }

    /** What it takes to have every value in a part of a JSON text as an object of its own. */
    public static long unfolding(byte[] text, int start, int end) {
        long size = 0;
        for (int at = start; at < end; at++) {
            size += UNFOLDED_BYTES[text[at] & 0xff];
        }
        return size;
    }

    private long size(JsonValue value) {
        return switch (value) {
            case Undefined _, Null _, Bool _ -> 0;
            case Num _ -> NUMBER_BYTES;
            case Str(String text) -> STRING_BYTES + (long) CHARACTER_BYTES * text.length();
            case Arr(var items)
            when items instanceof ArrayText text -> span(text.text(), text.start(), text.end(), text.isUnfolded());
            case Arr(var items) -> {
                long size = ARRAY_BYTES;
                for (var item : items) {
                    size += ELEMENT_BYTES + size(item);
                }
                yield size;
            }
            case Obj object
            when object.members() instanceof ObjectText text ->
                span(text.text(), text.start(), text.end(), text.isUnfolded());
            case Obj object -> {
                long size = OBJECT_BYTES;
                // Names are those in the text of the query, or of a value that is counted.
                for (var member : object.members().entrySet()) {
                    size += MEMBER_BYTES + size(member.getValue());
                }
                yield size;
            }
        };
    }

    @SuppressWarnings("ReferenceEquality") // It is about the array, not about what is in it.
    private long span(byte[] text, int start, int end, boolean unfolded) {
        long size = SPAN_BYTES + (unfolded ? unfolding(text, start, end) : 0);
        if (text == lastText) {
            return size;
        }
        lastText = text;
        return size + text.length;
    }
}
