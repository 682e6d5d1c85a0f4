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

    private static final int WRITTEN_WORD_BYTES = 4;
    private static final int WRITTEN_NUMBER_BYTES = 6;
    private static final int WRITTEN_MARK_BYTES = 2;

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

    private final boolean folded;
    private byte[] lastText;

    /** @param folded whether what has been looked into counts as if it had not */
    private JsonSize(byte[] countedText, boolean folded) {
        this.lastText = countedText;
        this.folded = folded;
    }

    /** What it takes to keep a value for longer than its item: a part of an item that is text keeps all of it. */
    public static long of(JsonValue value) {
        return new JsonSize(NO_TEXT, false).size(value);
    }

    /** What it takes to keep a value while an item is there that it may be a part of. */
    public static long beside(JsonValue item, JsonValue value) {
        return switch (value) {
            case Undefined _, Null _, Bool _ -> 0;
            case Num _ -> NUMBER_BYTES;
            case Str(String text) -> STRING_BYTES + (long) CHARACTER_BYTES * text.length();
            case Arr _, Obj _ -> new JsonSize(text(item), false).size(value);
        };
    }

    /** The same whether somebody has looked inside before or not, for those who count what looking takes every time. */
    public static long foldedBeside(JsonValue item, JsonValue value) {
        return new JsonSize(text(item), true).size(value);
    }

    private static byte[] text(JsonValue item) {
        return item instanceof Obj object && object.members() instanceof ObjectText text ? text.text() : NO_TEXT;
    }

    /** How many bytes a value has as JSON, roughly, and wherever it is from; what is in it several times counts as often. */
    public static long written(JsonValue value) {
        return switch (value) {
            case Undefined _, Null _, Bool _ -> WRITTEN_WORD_BYTES;
            case Num _ -> WRITTEN_NUMBER_BYTES;
            case Str(String text) -> WRITTEN_MARK_BYTES + text.length();
            case Arr(var items) when items instanceof ArrayText text -> text.end() - (long) text.start();
            case Arr(var items) -> {
                long bytes = WRITTEN_MARK_BYTES;
                for (var item : items) {
                    bytes += 1 + written(item);
                }
                yield bytes;
            }
            case Obj object when object.members() instanceof ObjectText text -> text.end() - (long) text.start();
            case Obj object -> {
                long bytes = WRITTEN_MARK_BYTES;
                for (var member : object.members().entrySet()) {
                    bytes += 2 * WRITTEN_MARK_BYTES + member.getKey().length() + written(member.getValue());
                }
                yield bytes;
            }
        };
    }

    /** How long a value is: the characters of a text, the bytes of what is still JSON, the elements of an array. */
    public static long length(JsonValue value) {
        return switch (value) {
            case Undefined _, Null _, Bool _, Num _ -> 1;
            case Str(String text) -> text.length();
            case Arr(var items) when items instanceof ArrayText text -> text.end() - (long) text.start();
            case Arr(var items) -> items.size();
            case Obj object when object.members() instanceof ObjectText text -> text.end() - (long) text.start();
            case Obj object -> object.size();
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

    /**
     * What looking inside a value takes besides, as if nobody had done so before. An item is there as a whole: to look into
     * a part of it takes nothing that is not counted with the item.
     */
    public static long unfoldingBeside(JsonValue item, JsonValue value) {
        return unfoldingAnew(text(item), value);
    }

    @SuppressWarnings("ReferenceEquality") // It is about the array, not about what is in it.
    private static long unfoldingAnew(byte[] known, JsonValue value) {
        return switch (value) {
            case Undefined _, Null _, Bool _, Num _, Str _ -> 0;
            case Arr(var items)
            when items instanceof ArrayText text ->
                text.text() == known ? 0 : unfolding(text.text(), text.start(), text.end());
            case Obj object
            when object.members() instanceof ObjectText text ->
                text.text() == known ? 0 : unfolding(text.text(), text.start(), text.end());
            case Arr(var items) -> unfoldingAnew(known, items);
            case Obj object -> unfoldingAnew(known, object.members().values());
        };
    }

    private static long unfoldingAnew(byte[] known, Iterable<JsonValue> parts) {
        long size = 0;
        for (var part : parts) {
            size += unfoldingAnew(known, part);
        }
        return size;
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
        long size = SPAN_BYTES + (unfolded && !folded ? unfolding(text, start, end) : 0);
        if (text == lastText) {
            return size;
        }
        lastText = text;
        return size + text.length;
    }
}
