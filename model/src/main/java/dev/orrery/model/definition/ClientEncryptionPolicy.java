package dev.orrery.model.definition;

import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.HashSet;
import java.util.List;

/** Which properties clients encrypt before they send them; the server checks the form and keeps it. */
public record ClientEncryptionPolicy(List<EncryptedPath> paths, int formatVersion, Obj others) {
    private static final int FORMAT_VERSION_MAX = 2;

    public record EncryptedPath(String path, String keyId, Type type, String algorithm, Obj others) {}

    public enum Type implements Spelled {
        DETERMINISTIC("Deterministic"),
        RANDOMIZED("Randomized");

        private final String spelling;

        Type(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    public ClientEncryptionPolicy {
        paths = List.copyOf(paths);
    }

    static ClientEncryptionPolicy parse(MemberReader json) {
        if (!json.has("includedPaths")) {
            throw json.refusal("includedPaths", "is required and must be an array of paths to encrypt.");
        }
        var paths = json.objects("includedPaths", Limits.INDEX_INCLUDED_PATHS_MAX, ClientEncryptionPolicy::parsePath);
        var seen = new HashSet<String>();
        for (var path : paths) {
            if (!seen.add(path.path())) {
                throw json.refusal("includedPaths", "contains the path '" + path.path() + "' twice.");
            }
        }
        int version = json.whole("policyFormatVersion", 1, FORMAT_VERSION_MAX).orElse(1);
        return new ClientEncryptionPolicy(paths, version, json.others());
    }

    private static EncryptedPath parsePath(MemberReader json) {
        var path = json.requiredText("path");
        if (!path.startsWith("/") || path.lastIndexOf('/') > 0) {
            throw json.refusal("path", "is '" + path + "', but must name a top-level property, as in /name.");
        }
        return new EncryptedPath(
                path,
                json.requiredText("clientEncryptionKeyId"),
                json.choice("encryptionType", Type.class)
                        .orElseThrow(() -> json.refusal("encryptionType", "is required.")),
                json.requiredText("encryptionAlgorithm"),
                json.others());
    }

    Obj toJson() {
        return Obj.builder()
                .put(
                        "includedPaths",
                        new Arr(paths.stream()
                                .<JsonValue>map(ClientEncryptionPolicy::toJson)
                                .toList()))
                .put("policyFormatVersion", formatVersion)
                .putAll(others)
                .build();
    }

    private static Obj toJson(EncryptedPath path) {
        return Obj.builder()
                .put("path", path.path())
                .put("clientEncryptionKeyId", path.keyId())
                .put("encryptionType", path.type().spelling())
                .put("encryptionAlgorithm", path.algorithm())
                .putAll(path.others())
                .build();
    }
}
