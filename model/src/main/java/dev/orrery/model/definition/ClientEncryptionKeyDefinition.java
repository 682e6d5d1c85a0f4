package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;
import java.util.Base64;
import java.util.List;

/** A data key, itself encrypted with a key that only clients have: kept as it came. */
public record ClientEncryptionKeyDefinition(
        String id, String algorithm, String wrappedKey, Obj wrapMetadata, Obj others) implements Definition {
    private static final String WRAPPED_KEY = "wrappedDataEncryptionKey";

    public static ClientEncryptionKeyDefinition parse(Obj body) {
        var json = MemberReader.of(body);
        var id = json.resourceId(List.of());
        var algorithm = json.requiredText("encryptionAlgorithm");
        var wrappedKey = json.requiredText(WRAPPED_KEY);
        if (!isBase64(wrappedKey)) {
            throw json.refusal(WRAPPED_KEY, "must be base64.");
        }
        if (!(json.value("keyWrapMetadata") instanceof Obj wrapMetadata)) {
            throw json.refusal("keyWrapMetadata", "is required and must be an object.");
        }
        return new ClientEncryptionKeyDefinition(id, algorithm, wrappedKey, wrapMetadata, json.others());
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    @Override
    public Obj toJson() {
        return Obj.builder()
                .put("id", id)
                .put("encryptionAlgorithm", algorithm)
                .put(WRAPPED_KEY, wrappedKey)
                .put("keyWrapMetadata", wrapMetadata)
                .putAll(others)
                .build();
    }

    @Override
    public List<String> childSegments() {
        return List.of();
    }
}
