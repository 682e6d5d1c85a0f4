package dev.orrery.model.definition;

import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;

/**
 * What may change about a container that exists. A member that can change and is left out goes back to its default, as
 * the whole definition is replaced; a policy that cannot change may be left out and stays.
 */
final class ContainerReplacement {
    private static final String PARTITION_KEY = "partitionKey";
    private static final List<String> KEPT_IF_MISSING = List.of("uniqueKeyPolicy", "conflictResolutionPolicy");

    private ContainerReplacement() {}

    static ContainerDefinition apply(ContainerDefinition current, Obj body) {
        var replacement = ContainerDefinition.parse(completed(current, body));
        refuseIf(!replacement.id().equals(current.id()), "id");
        refuseIf(!replacement.partitionKey().equals(current.partitionKey()), PARTITION_KEY);
        refuseIf(!replacement.uniqueKeyPolicy().equals(current.uniqueKeyPolicy()), "uniqueKeyPolicy");
        refuseIf(
                !replacement.conflictResolutionPolicy().equals(current.conflictResolutionPolicy()),
                "conflictResolutionPolicy");
        refuseIf(
                !replacement.clientEncryptionPolicy().equals(current.clientEncryptionPolicy()),
                "clientEncryptionPolicy");
        refuseIf(!keepsView(current, replacement), ViewDefinition.NEW_NAME);
        refuseChangedVectors(current, replacement);
        return replacement.withView(current.view());
    }

    /** Clients leave out what they never set themselves: the version of a partition key, or policies that cannot change. */
    private static Obj completed(ContainerDefinition current, Obj body) {
        var kept = current.toJson();
        var completed = Obj.builder().putAll(body);
        for (var member : KEPT_IF_MISSING) {
            if (isMissing(body.member(member))) {
                completed.put(member, kept.member(member));
            }
        }
        if (body.member(PARTITION_KEY) instanceof Obj key && kept.member(PARTITION_KEY) instanceof Obj keptKey) {
            completed.put(PARTITION_KEY, completedKey(keptKey, key));
        }
        return completed.build();
    }

    private static Obj completedKey(Obj kept, Obj key) {
        var completed = Obj.builder().putAll(key);
        kept.members().forEach((name, value) -> {
            if (isMissing(key.member(name))) {
                completed.put(name, value);
            }
        });
        return completed.build();
    }

    private static boolean isMissing(JsonValue value) {
        return value.isUndefined() || value.equals(JsonValue.NULL);
    }

    private static boolean keepsView(ContainerDefinition current, ContainerDefinition replacement) {
        return replacement
                .view()
                .map(view -> current.view().filter(view::isSameAs).isPresent())
                .orElse(true);
    }

    /** Vector paths come and go, but what is said of one stays: its index was built for that. */
    private static void refuseChangedVectors(ContainerDefinition current, ContainerDefinition replacement) {
        for (var index : current.indexingPolicy().vector()) {
            boolean changed = replacement.indexingPolicy().vector().stream()
                    .anyMatch(other -> other.path().equals(index.path()) && !other.equals(index));
            refuseVectorIf(changed, "indexingPolicy.vectorIndexes", index.path());
        }
        current.vectorEmbeddingPolicy()
                .ifPresent(policy -> policy.embeddings().forEach(embedding -> {
                    boolean changed = replacement
                            .vectorEmbeddingPolicy()
                            .flatMap(other -> other.find(embedding.path()))
                            .filter(other -> !other.equals(embedding))
                            .isPresent();
                    refuseVectorIf(changed, "vectorEmbeddingPolicy", embedding.path());
                }));
    }

    private static void refuseVectorIf(boolean changed, String place, JsonPath path) {
        if (changed) {
            throw MemberReader.refusalAt(
                    place,
                    "cannot change what it says about '" + path.text()
                            + "'; remove the path in one replace and add it again in another.");
        }
    }

    private static void refuseIf(boolean changed, String place) {
        if (changed) {
            throw MemberReader.refusalAt(place, "cannot be changed when a container is replaced.");
        }
    }
}
