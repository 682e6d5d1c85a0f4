package dev.orrery.model.json;

import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonValue.Undefined;

/** Roughly how much memory it takes to keep a value. */
public final class JsonSize {
    private static final int OBJECT_BYTES = 24;
    private static final int MEMBER_BYTES = 56;

    private JsonSize() {}

    public static long of(JsonValue value) {
        return switch (value) {
            case Undefined _, Null _, Bool _ -> 0;
            case Num _ -> OBJECT_BYTES;
            case Str(String text) -> 2L * OBJECT_BYTES + text.length();
            // What is still text keeps the whole text alive that it is a part of.
            case Arr(var items) when items instanceof ArrayText text -> 2L * OBJECT_BYTES + text.text().length;
            case Arr(var items) -> {
                long size = OBJECT_BYTES;
                for (var item : items) {
                    size += Integer.BYTES + of(item);
                }
                yield size;
            }
            case Obj object when object.members() instanceof ObjectText text -> 2L * OBJECT_BYTES + text.text().length;
            case Obj object -> {
                long size = OBJECT_BYTES;
                for (var member : object.members().entrySet()) {
                    size += MEMBER_BYTES + of(member.getValue());
                }
                yield size;
            }
        };
    }
}
