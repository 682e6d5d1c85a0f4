package dev.orrery.model.definition;

import dev.orrery.model.definition.VectorEmbeddingPolicy.DataType;
import dev.orrery.model.definition.VectorEmbeddingPolicy.DistanceFunction;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Makes bodies that a server must accept, with everything in them that a client could say. */
final class ContainerGenerator {
    private static final List<String> NAMES = List.of("a", "bc", "\"d e\"", "\"f\\\"g\"", "'h i'", "_j", "k1");

    private final RandomGenerator random;
    private int counter;

    ContainerGenerator(RandomGenerator random) {
        this.random = random;
    }

    Obj body() {
        counter = 0;
        var embeddings = list(3, this::embedding);
        var texts = list(3, () -> "/text" + counter++);
        var body = Obj.builder().put("id", pick("c", "a container", "größe")).put("partitionKey", partitionKey());
        maybe(body, "indexingPolicy", () -> indexingPolicy(embeddings, texts));
        maybe(body, "uniqueKeyPolicy", () -> array("uniqueKeys", list(3, this::uniqueKey)));
        maybe(body, "conflictResolutionPolicy", this::conflictResolution);
        maybe(body, "geospatialConfig", () -> text("type", pick("Geography", "geography")));
        maybe(body, "computedProperties", () -> new Arr(list(3, this::computedProperty)));
        maybe(body, "changeFeedPolicy", () -> number("retentionDuration", random.nextInt(10)));
        maybe(body, "analyticalStorageTtl", () -> new JsonValue.Num(random.nextInt(-1, 5)));
        maybe(body, "somethingNew", this::anything);
        body.put("vectorEmbeddingPolicy", array("vectorEmbeddings", embeddings));
        body.put("fullTextPolicy", fullText(texts));
        return body.build();
    }

    private Obj partitionKey() {
        return switch (random.nextInt(4)) {
            case 0 -> array("paths", JsonValue.strings(List.of("/" + pick(NAMES))));
            case 1 -> with(array("paths", JsonValue.strings(List.of("/a/" + pick(NAMES)))), "version", "V1");
            case 2 -> with(array("paths", JsonValue.strings(List.of("/p", "/q"))), "kind", "multihash");
            default -> with(array("paths", JsonValue.strings(List.of("/p"))), "kind", "Hash");
        };
    }

    private Obj indexingPolicy(List<JsonValue> embeddings, List<String> texts) {
        var policy = Obj.builder();
        if (random.nextInt(8) == 0) {
            return policy.put("indexingMode", pick("None", "none")).build();
        }
        maybe(policy, "indexingMode", () -> new JsonValue.Str(pick("Consistent", "consistent", "lazy")));
        maybe(policy, "automatic", () -> Bool.of(random.nextBoolean()));
        boolean rootIncluded = random.nextBoolean();
        policy.put("includedPaths", paths(rootIncluded, "in"));
        policy.put("excludedPaths", paths(!rootIncluded, "ex"));
        maybe(policy, "compositeIndexes", () -> new Arr(list(3, this::composite)));
        maybe(policy, "spatialIndexes", () -> new Arr(list(2, this::spatial)));
        policy.put(
                "vectorIndexes",
                new Arr(embeddings.stream().map(this::vectorIndex).toList()));
        policy.put(
                "fullTextIndexes",
                new Arr(texts.stream()
                        .<JsonValue>map(path -> text("path", path))
                        .toList()));
        maybe(policy, "somethingNew", this::anything);
        return policy.build();
    }

    private Arr paths(boolean withRoot, String prefix) {
        var paths = new ArrayList<JsonValue>(list(4, () -> {
            var path = text(
                    "path", "/" + prefix + counter++ + pick("", "/[]", "/[2]", "/" + pick(NAMES)) + pick("/?", "/*"));
            return random.nextInt(4) == 0 ? with(path, "indexes", "kept") : path;
        }));
        if (withRoot) {
            paths.add(random.nextInt(paths.size() + 1), text("path", "/*"));
        }
        return new Arr(paths);
    }

    private JsonValue composite() {
        return new Arr(List.of(
                text("path", "/x" + counter++ + pick("", "/y")),
                with(text("path", "/y" + counter++), "order", pick("ascending", "Descending"))));
    }

    private JsonValue spatial() {
        return Obj.builder()
                .put("path", "/shape" + counter++ + pick("/?", "/*"))
                .put("types", JsonValue.strings(List.of(pick("Point", "polygon"))))
                .build();
    }

    private JsonValue embedding() {
        var embedding = Obj.builder().put("path", "/vector" + counter++).put("dimensions", random.nextInt(1, 500));
        maybe(
                embedding,
                "dataType",
                () -> new JsonValue.Str(pick(DataType.values()).spelling()));
        maybe(
                embedding,
                "distanceFunction",
                () -> new JsonValue.Str(pick(DistanceFunction.values()).spelling()));
        maybe(embedding, "embeddingSource", this::anything);
        return embedding.build();
    }

    private JsonValue vectorIndex(JsonValue embedding) {
        var path = ((Obj) embedding).member("path");
        return switch (random.nextInt(3)) {
            case 0 -> Obj.builder().put("path", path).put("type", "flat").build();
            case 1 ->
                Obj.builder()
                        .put("path", path)
                        .put("type", "QuantizedFlat")
                        .put("quantizerType", pick("product", "spherical"))
                        .put(pick("vectorIndexShardKey", "vectorIndexShardKeys"), JsonValue.strings(List.of("/zip")))
                        .build();
            default ->
                Obj.builder()
                        .put("path", path)
                        .put("type", "diskANN")
                        .put("quantizationByteSize", random.nextInt(1, 512))
                        .put("indexingSearchListSize", random.nextInt(10, 500))
                        .build();
        };
    }

    private Obj fullText(List<String> texts) {
        var paths = texts.stream()
                .<JsonValue>map(path -> random.nextBoolean()
                        ? text("path", path)
                        : with(text("path", path), "language", pick("en-US", "DE-de")))
                .toList();
        return with(array("fullTextPaths", paths), "package", "standard");
    }

    private JsonValue uniqueKey() {
        return array("paths", JsonValue.strings(List.of("/u" + counter++, "/w/" + pick(NAMES))));
    }

    private Obj conflictResolution() {
        return switch (random.nextInt(3)) {
            case 0 -> text("mode", "lastwriterwins");
            case 1 -> text("conflictResolutionPath", "/v/" + pick(NAMES));
            default -> with(text("mode", "Custom"), "conflictResolutionProcedure", "dbs/d/colls/c/sprocs/s");
        };
    }

    private JsonValue computedProperty() {
        return with(text("name", "computed" + counter++), "query", pick("SELECT VALUE 1 FROM c", " select  value c.a"));
    }

    private JsonValue anything() {
        return pick(List.of(
                Bool.TRUE,
                JsonValue.NULL,
                Obj.EMPTY,
                text("x".toUpperCase(Locale.ROOT), "y"),
                JsonValue.strings(List.of("p", "q"))));
    }

    private void maybe(Obj.Builder json, String member, Supplier<JsonValue> value) {
        if (random.nextBoolean()) {
            json.put(member, value.get());
        }
    }

    private <T> List<T> list(int sizeMax, Supplier<T> item) {
        var items = new ArrayList<T>();
        int size = random.nextInt(sizeMax + 1);
        for (int i = 0; i < size; i++) {
            items.add(item.get());
        }
        return items;
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static Obj text(String member, String value) {
        return Obj.builder().put(member, value).build();
    }

    private static Obj number(String member, double value) {
        return Obj.builder().put(member, value).build();
    }

    private static Obj array(String member, List<JsonValue> items) {
        return array(member, new Arr(items));
    }

    private static Obj array(String member, Arr items) {
        return Obj.builder().put(member, items).build();
    }

    private static Obj with(Obj object, String member, String value) {
        return Obj.builder().putAll(object).put(member, value).build();
    }
}
