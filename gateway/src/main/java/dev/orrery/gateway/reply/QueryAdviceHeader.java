package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Outcome.QueryMetrics;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What could be put better in a query: a list of {@code {"Id": "..", "Params": []}}, percent-encoded. */
final class QueryAdviceHeader {
    private QueryAdviceHeader() {}

    static String text(QueryMetrics metrics) {
        var rules = metrics.advice().stream()
                .map(id -> (JsonValue) Obj.builder()
                        .put("Id", id)
                        .put("Params", new Arr(List.of()))
                        .build())
                .toList();
        return URLEncoder.encode(JsonWriter.text(new Arr(rules)), StandardCharsets.UTF_8);
    }
}
