package dev.orrery.example.blog.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The result for programs. */
final class JsonReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonReport() {}

    static String text(Result result) {
        return json(result).toPrettyString() + "\n";
    }

    static ObjectNode json(Result result) {
        var root = JSON.createObjectNode();
        var rows = root.putArray("rows");
        for (var row : result.rows()) {
            rows.addObject()
                    .put("request", row.request().name())
                    .put("version", row.version().name())
                    .put("referenceMs", row.reference().millis())
                    .put("referenceRu", row.reference().units())
                    .put("p50Ms", round(row.p50Millis()))
                    .put("p99Ms", round(row.p99Millis()))
                    .put("ru", round(row.units()))
                    .put("operations", round(row.operations()))
                    .put("lean", row.lean());
        }
        root.put("users", result.users())
                .put("calls", result.calls())
                .put("partitions", result.partitions())
                .put("loadedItems", result.load().items())
                .put("loadSeconds", round(result.load().seconds()))
                .put("loadItemsPerSecond", Math.round(result.load().rate()))
                .put("views", result.views().by().name())
                .put("viewItems", result.views().amount().items())
                .put("viewSeconds", round(result.views().amount().seconds()))
                .put("comparedAnswers", result.compared());
        var renamings = root.putArray("renamings");
        for (var renaming : result.renamings()) {
            renamings
                    .addObject()
                    .put("version", renaming.version().name())
                    .put("copies", renaming.copies())
                    .put("seconds", round(renaming.seconds()));
        }
        return root;
    }

    private static double round(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
