package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.engine.operation.IndexMetrics.Composite;
import dev.orrery.engine.operation.IndexMetrics.Impact;
import dev.orrery.engine.operation.IndexMetrics.Indexes;
import dev.orrery.engine.operation.IndexMetrics.Single;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/** The indexes of a query in the two forms that SDKs ask for. */
final class IndexMetricsHeader {
    private IndexMetricsHeader() {}

    /** As JSON in percent escapes. Some SDKs take a plus sign for a space, others do not, so there is neither. */
    static String text(IndexMetrics metrics) {
        var json = Obj.builder()
                .put("UtilizedIndexes", indexes(metrics.utilized()))
                .put("PotentialIndexes", indexes(metrics.potential()))
                .build();
        return URLEncoder.encode(JsonWriter.text(json), StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static Obj indexes(Indexes indexes) {
        return Obj.builder()
                .put("SingleIndexes", array(indexes.single(), IndexMetricsHeader::single))
                .put("CompositeIndexes", array(indexes.composite(), IndexMetricsHeader::composite))
                .build();
    }

    private static Obj single(Single index) {
        return Obj.builder()
                .put("IndexSpec", index.path())
                .put("IndexImpactScore", score(index.impact()))
                .build();
    }

    private static Obj composite(Composite index) {
        return Obj.builder()
                .put("IndexSpecs", JsonValue.strings(index.parts()))
                .put("IndexImpactScore", score(index.impact()))
                .build();
    }

    /** As older SDKs want it: JSON in base64, with members that no client shows any more. */
    static String classic(IndexMetrics metrics) {
        var json = Obj.builder()
                .put("UtilizedSingleIndexes", array(metrics.utilized().single(), IndexMetricsHeader::classicSingle))
                .put("PotentialSingleIndexes", array(metrics.potential().single(), IndexMetricsHeader::classicSingle))
                .put(
                        "UtilizedCompositeIndexes",
                        array(metrics.utilized().composite(), IndexMetricsHeader::classicComposite))
                .put(
                        "PotentialCompositeIndexes",
                        array(metrics.potential().composite(), IndexMetricsHeader::classicComposite))
                .build();
        return Base64.getEncoder().encodeToString(JsonWriter.bytes(json));
    }

    private static Obj classicSingle(Single index) {
        return Obj.builder()
                .put("FilterExpression", "")
                .put("IndexSpec", index.path())
                .put("FilterPreciseSet", true)
                .put("IndexPreciseSet", true)
                .put("IndexImpactScore", score(index.impact()))
                .build();
    }

    private static Obj classicComposite(Composite index) {
        return Obj.builder()
                .put("IndexSpecs", JsonValue.strings(index.parts()))
                .put("IndexPreciseSet", true)
                .put("IndexImpactScore", score(index.impact()))
                .build();
    }

    private static String score(Impact impact) {
        return switch (impact) {
            case HIGH -> "High";
            case LOW -> "Low";
        };
    }

    private static <T> Arr array(List<T> parts, Function<T, JsonValue> json) {
        return new Arr(parts.stream().map(json).toList());
    }
}
