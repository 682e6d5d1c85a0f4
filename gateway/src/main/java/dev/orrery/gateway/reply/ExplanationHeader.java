package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Outcome.Explanation;
import dev.orrery.gateway.http.HeaderJson;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.Locale;

/** How a query finds its rows, as one line of JSON. */
final class ExplanationHeader {
    private ExplanationHeader() {}

    static String text(Explanation explanation) {
        return HeaderJson.text(Obj.builder()
                .put("access", explanation.access().name().toLowerCase(Locale.ROOT))
                .put("places", explanation.places())
                .put("ranges", explanation.ranges())
                .put("rangesOfContainer", explanation.rangesOfContainer())
                .put("resumes", explanation.resumes())
                .put("steps", JsonValue.strings(explanation.steps()))
                .put("indexes", JsonValue.strings(explanation.indexes().used()))
                .put("entriesRead", (double) explanation.indexes().entriesRead())
                .put("hints", JsonValue.strings(explanation.indexes().hints()))
                .build());
    }
}
