package dev.orrery.model.json;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue.Obj;

/**
 * A text that {@link JsonScanner} has accepted, with the positions of the root object's members in the order in which
 * they were written, repeated names included.
 */
public final class JsonScan {
    /** Numbers kept for each member: hash of the name, start and end of the name, start and end of the value. */
    static final int ROW = 5;

    private final byte[] text;
    private final int start;
    private final int end;
    private final int[] rows;
    private final int memberCount;

    JsonScan(byte[] text, int start, int end, int[] rows, int memberCount) {
        this.text = text;
        this.start = start;
        this.end = end;
        this.rows = rows;
        this.memberCount = memberCount;
    }

    /** The value that was scanned; its text must not be changed from now on. */
    public JsonValue asValue() {
        return isObject() ? object() : JsonText.value(text, start, end);
    }

    /** The object that was scanned, or a refusal that says what should have been one. */
    public Obj asObject(String what) {
        if (!isObject()) {
            throw new FailureException(new Failure.BadRequest(what + " must be a JSON object."));
        }
        return object();
    }

    private Obj object() {
        return new Obj(new ObjectText(text, start, end) {
            @Override
            long find(String name) {
                return JsonScan.this.find(name);
            }
        });
    }

    private long find(String name) {
        int hash = name.hashCode();
        for (int member = memberCount - 1; member >= 0; member--) {
            if (nameHash(member) == hash && JsonText.nameEquals(text, nameStart(member), nameEnd(member), name)) {
                return JsonText.span(valueStart(member), valueEnd(member));
            }
        }
        return JsonText.NONE;
    }

    /** The length of the root value in bytes, without white space around it. */
    public int length() {
        return end - start;
    }

    public boolean isObject() {
        return text[start] == '{';
    }

    byte[] text() {
        return text;
    }

    int memberCount() {
        return memberCount;
    }

    int nameHash(int member) {
        return rows[member * ROW];
    }

    int nameStart(int member) {
        return rows[member * ROW + 1];
    }

    int nameEnd(int member) {
        return rows[member * ROW + 2];
    }

    int valueStart(int member) {
        return rows[member * ROW + 3];
    }

    int valueEnd(int member) {
        return rows[member * ROW + 4];
    }
}
