package dev.orrery.model.json;

import dev.orrery.model.json.JsonValue.Obj;

/** The members of an object in the very spelling of its text, for those who copy values and do not look at them. */
public final class SpelledMembers {
    private SpelledMembers() {}

    /** Is told where the text of each member's value is. */
    public interface Visitor {
        void member(String name, byte[] text, int start, int end);
    }

    /** Visits members in the order of the text; a repeated name is visited again. */
    public static void forEach(Obj object, Visitor visitor) {
        var raw = RawJson.of(object);
        forEach(raw.text(), raw.start(), visitor);
    }

    /** Visits the members of the object that starts at a position of a text which has been accepted as JSON. */
    public static void forEach(byte[] text, int start, Visitor visitor) {
        JsonText.members(
                text,
                start,
                (nameStart, nameEnd, valueStart, valueEnd) ->
                        visitor.member(JsonText.string(text, nameStart, nameEnd), text, valueStart, valueEnd));
    }

    /** The characters of the string whose opening and closing quotes are at the ends of this part of a text. */
    public static String string(byte[] text, int start, int end) {
        return JsonText.string(text, start + 1, end - 1);
    }
}
