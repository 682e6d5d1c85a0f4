package dev.orrery.model.definition;

import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where items hold vectors, and how those compare. */
public record VectorEmbeddingPolicy(List<Embedding> embeddings, Obj others) {
    private static final int DIMENSIONS_DEFAULT = 1536;

    public record Embedding(
            JsonPath path, DataType dataType, int dimensions, DistanceFunction distanceFunction, Obj others) {}

    public enum DataType implements Spelled {
        FLOAT32("float32"),
        FLOAT16("float16"),
        INT8("int8"),
        UINT8("uint8");

        private final String spelling;

        DataType(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    public enum DistanceFunction implements Spelled {
        COSINE("cosine"),
        DOT_PRODUCT("dotproduct"),
        EUCLIDEAN("euclidean");

        private final String spelling;

        DistanceFunction(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    public VectorEmbeddingPolicy {
        embeddings = List.copyOf(embeddings);
    }

    static VectorEmbeddingPolicy parse(MemberReader json) {
        var embeddings =
                json.objects("vectorEmbeddings", Limits.INDEX_SPECIAL_PATHS_MAX, VectorEmbeddingPolicy::parseEmbedding);
        refuseRepeated(
                json,
                "vectorEmbeddings",
                "Vector Embedding Policy",
                embeddings.stream().map(Embedding::path));
        return new VectorEmbeddingPolicy(embeddings, json.others());
    }

    /** Refuses a path that comes twice, in the words that clients know. */
    static void refuseRepeated(MemberReader json, String member, String policy, Stream<JsonPath> paths) {
        var seen = new HashSet<JsonPath>();
        paths.filter(path -> !seen.add(path)).findFirst().ifPresent(path -> {
            throw json.refusal(
                    member, "contains a path twice. Duplicate Path :" + path.text() + " found in " + policy + ".");
        });
    }

    private static Embedding parseEmbedding(MemberReader json) {
        return new Embedding(
                json.requiredPath("path"),
                json.choice("dataType", DataType.class).orElse(DataType.FLOAT32),
                json.whole("dimensions", 1, Limits.VECTOR_DIMENSIONS_MAX).orElse(DIMENSIONS_DEFAULT),
                json.choice("distanceFunction", DistanceFunction.class).orElse(DistanceFunction.COSINE),
                json.others());
    }

    /** The vectors at a path, however the path is written. */
    public Optional<Embedding> find(JsonPath path) {
        return embeddings.stream()
                .filter(embedding -> embedding.path().equals(path))
                .findFirst();
    }

    Obj toJson() {
        return Obj.builder()
                .put(
                        "vectorEmbeddings",
                        new Arr(embeddings.stream()
                                .<JsonValue>map(VectorEmbeddingPolicy::toJson)
                                .toList()))
                .putAll(others)
                .build();
    }

    private static Obj toJson(Embedding embedding) {
        return Obj.builder()
                .put("path", embedding.path().text())
                .put("dataType", embedding.dataType().spelling())
                .put("dimensions", embedding.dimensions())
                .put("distanceFunction", embedding.distanceFunction().spelling())
                .putAll(embedding.others())
                .build();
    }
}
