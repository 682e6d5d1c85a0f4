package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Outcome.Explanation;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import java.util.Locale;

/** How a query finds its rows, as one line of JSON in which everything beyond ASCII is escaped. */
final class ExplanationHeader {
    private ExplanationHeader() {}

    static String text(Explanation explanation) {
        return ascii(JsonWriter.text(Obj.builder()
                .put("access", explanation.access().name().toLowerCase(Locale.ROOT))
                .put("places", explanation.places())
                .put("ranges", explanation.ranges())
                .put("rangesOfContainer", explanation.rangesOfContainer())
                .put("resumes", explanation.resumes())
                .put("steps", JsonValue.strings(explanation.steps()))
                .build()));
    }

    private static String ascii(String json) {
        var text = new StringBuilder(json.length());
        for (int at = 0; at < json.length(); at++) {
            char character = json.charAt(at);
            if (character < 0x7f) {
                text.append(character);
            } else {
                text.append("\\u").append(String.format(Locale.ROOT, "%04x", (int) character));
            }
        }
        return text.toString();
    }
}
