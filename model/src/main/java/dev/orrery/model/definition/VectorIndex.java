package dev.orrery.model.definition;

import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;
import java.util.Optional;

/** An index for the nearest neighbours of vectors, at a path that the container's embedding policy describes. */
public record VectorIndex(
        JsonPath path,
        Type type,
        Optional<Integer> quantizationBytes,
        Optional<Integer> searchListSize,
        Optional<Quantizer> quantizer,
        Optional<ShardKey> shardKey,
        Obj others) {

    /** What splits the index into parts; SDKs disagree on the member's name, and each finds what it has sent. */
    public record ShardKey(String member, List<JsonPath> paths) {
        private static final List<String> MEMBERS = List.of("vectorIndexShardKey", "vectorIndexShardKeys");

        public ShardKey {
            paths = List.copyOf(paths);
        }
    }

    public enum Type implements Spelled {
        FLAT("flat", Limits.VECTOR_FLAT_DIMENSIONS_MAX),
        QUANTIZED_FLAT("quantizedFlat", Limits.VECTOR_DIMENSIONS_MAX),
        DISK_ANN("diskANN", Limits.VECTOR_DIMENSIONS_MAX);

        private final String spelling;
        private final int dimensionsMax;

        Type(String spelling, int dimensionsMax) {
            this.spelling = spelling;
            this.dimensionsMax = dimensionsMax;
        }

        @Override
        public String spelling() {
            return spelling;
        }

        public int dimensionsMax() {
            return dimensionsMax;
        }
    }

    /** How vectors are made smaller for the index. */
    public enum Quantizer implements Spelled {
        PRODUCT("product"),
        SPHERICAL("spherical");

        private final String spelling;

        Quantizer(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    static VectorIndex parse(MemberReader json) {
        var path = json.requiredPath("path");
        var type = json.choice("type", Type.class)
                .orElseThrow(() -> json.refusal("type", "is required: flat, quantizedFlat or diskANN."));
        var index = new VectorIndex(
                path,
                type,
                json.whole("quantizationByteSize", 1, Limits.VECTOR_QUANTIZATION_BYTES_MAX),
                json.whole(
                        "indexingSearchListSize",
                        Limits.VECTOR_SEARCH_LIST_SIZE_MIN,
                        Limits.VECTOR_SEARCH_LIST_SIZE_MAX),
                json.choice("quantizerType", Quantizer.class),
                shardKey(json),
                json.others());
        if (type == Type.FLAT && (index.quantizationBytes.isPresent() || index.quantizer.isPresent())) {
            throw json.refusal(
                    "type",
                    "is flat, which keeps vectors whole: quantizationByteSize and quantizerType are "
                            + "only allowed with quantizedFlat and diskANN.");
        }
        if (type != Type.DISK_ANN && index.searchListSize.isPresent()) {
            throw json.refusal("indexingSearchListSize", "is only allowed with the type diskANN.");
        }
        return index;
    }

    private static Optional<ShardKey> shardKey(MemberReader json) {
        return ShardKey.MEMBERS.stream()
                .filter(json::has)
                .findFirst()
                .map(member -> new ShardKey(member, json.paths(member, Limits.PARTITION_KEY_PATHS_MAX)));
    }

    Obj toJson() {
        var json = Obj.builder()
                .put("path", path.text())
                .put("type", type.spelling())
                .put("quantizationByteSize", number(quantizationBytes))
                .put("indexingSearchListSize", number(searchListSize));
        quantizer.ifPresent(chosen -> json.put("quantizerType", chosen.spelling()));
        shardKey.ifPresent(key -> json.put(
                key.member(),
                JsonValue.strings(key.paths().stream().map(JsonPath::text).toList())));
        return json.putAll(others).build();
    }

    private static JsonValue number(Optional<Integer> value) {
        return value.<JsonValue>map(Num::new).orElse(JsonValue.UNDEFINED);
    }
}
