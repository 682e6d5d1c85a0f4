package dev.orrery.model.definition;

import dev.orrery.model.Limits;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.PartitionKeyDefinition;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Everything a client can say about a container, checked and with all defaults filled in. */
public record ContainerDefinition(
        String id,
        PartitionKeyDefinition partitionKey,
        IndexingPolicy indexingPolicy,
        Optional<Integer> defaultTtlSeconds,
        Optional<JsonPath> ttlPropertyPath,
        UniqueKeyPolicy uniqueKeyPolicy,
        ConflictResolutionPolicy conflictResolutionPolicy,
        GeospatialConfig geospatialConfig,
        List<ComputedProperty> computedProperties,
        Optional<VectorEmbeddingPolicy> vectorEmbeddingPolicy,
        Optional<FullTextPolicy> fullTextPolicy,
        Optional<ChangeFeedPolicy> changeFeedPolicy,
        Optional<ClientEncryptionPolicy> clientEncryptionPolicy,
        Optional<Integer> analyticalTtlSeconds,
        Optional<ViewDefinition> view,
        Obj others)
        implements Definition {

    /** As a default time to live: items expire only if they say so themselves. */
    public static final int TTL_NEVER = -1;

    private static final List<String> CHILDREN = List.of("docs", "sprocs", "triggers", "udfs", "conflicts");

    public ContainerDefinition {
        computedProperties = List.copyOf(computedProperties);
    }

    public static ContainerDefinition parse(Obj body) {
        var json = MemberReader.of(body);
        var container = new ContainerDefinition(
                json.resourceId(CHILDREN),
                PartitionKeyRules.read(json),
                json.object("indexingPolicy").map(IndexingPolicy::parse).orElse(IndexingPolicy.DEFAULT),
                defaultTtl(json),
                json.text("ttlPropertyPath").map(text -> PropertyPath.read("ttlPropertyPath", text)),
                json.object("uniqueKeyPolicy").map(UniqueKeyPolicy::parse).orElse(UniqueKeyPolicy.NONE),
                json.object("conflictResolutionPolicy")
                        .map(ConflictResolutionPolicy::parse)
                        .orElse(ConflictResolutionPolicy.DEFAULT),
                json.object("geospatialConfig").map(GeospatialConfig::parse).orElse(GeospatialConfig.DEFAULT),
                json.objects("computedProperties", Limits.COMPUTED_PROPERTIES_MAX, ComputedProperty::parse),
                json.object("vectorEmbeddingPolicy").map(VectorEmbeddingPolicy::parse),
                json.object("fullTextPolicy").map(FullTextPolicy::parse),
                json.object("changeFeedPolicy").map(ChangeFeedPolicy::parse),
                json.object("clientEncryptionPolicy").map(ClientEncryptionPolicy::parse),
                json.whole("analyticalStorageTtl", TTL_NEVER, Limits.TIME_TO_LIVE_SECONDS_MAX),
                ViewDefinition.find(json),
                json.others());
        ContainerRules.check(container);
        return container;
    }

    private static Optional<Integer> defaultTtl(MemberReader json) {
        var seconds = json.whole("defaultTtl", TTL_NEVER, Limits.TIME_TO_LIVE_SECONDS_MAX);
        if (seconds.isPresent() && seconds.get() == 0) {
            throw json.refusal(
                    "defaultTtl",
                    "is 0, but must be -1 (items never expire by default), a number of seconds " + "from 1 to "
                            + Limits.TIME_TO_LIVE_SECONDS_MAX + ", or missing.");
        }
        return seconds;
    }

    /** The container after a replace by a client, if only that changes which may change. */
    public ContainerDefinition replaceWith(Obj body) {
        return ContainerReplacement.apply(this, body);
    }

    /** The container with another word on the view that it is, such as the source found. */
    public ContainerDefinition withView(Optional<ViewDefinition> changed) {
        return new ContainerDefinition(
                id,
                partitionKey,
                indexingPolicy,
                defaultTtlSeconds,
                ttlPropertyPath,
                uniqueKeyPolicy,
                conflictResolutionPolicy,
                geospatialConfig,
                computedProperties,
                vectorEmbeddingPolicy,
                fullTextPolicy,
                changeFeedPolicy,
                clientEncryptionPolicy,
                analyticalTtlSeconds,
                changed,
                others);
    }

    /**
     * True if the value at a place is in the index of single values. A computed property takes the place of a stored one
     * of the same name and is only indexed if a path names it.
     */
    public boolean isIndexed(List<Step> place) {
        return computed(place).isPresent() ? indexingPolicy.isIndexedByName(place) : indexingPolicy.isIndexed(place);
    }

    /** The computed property that a place is in. */
    public Optional<ComputedProperty> computed(List<Step> place) {
        return computedProperties.stream()
                .filter(property -> !place.isEmpty() && place.getFirst().equals(new Step.Property(property.name())))
                .findFirst();
    }

    @Override
    public Obj toJson() {
        var json = Obj.builder()
                .put("id", id)
                .put("indexingPolicy", indexingPolicy.toJson())
                .put("partitionKey", partitionKey.asValue());
        put(json, "defaultTtl", defaultTtlSeconds, seconds -> new Num(seconds));
        put(json, "ttlPropertyPath", ttlPropertyPath, path -> new Str(path.text()));
        json.put("uniqueKeyPolicy", uniqueKeyPolicy.toJson())
                .put("conflictResolutionPolicy", conflictResolutionPolicy.toJson())
                .put("geospatialConfig", geospatialConfig.toJson());
        if (!computedProperties.isEmpty()) {
            json.put("computedProperties", computedPropertiesJson());
        }
        put(json, "vectorEmbeddingPolicy", vectorEmbeddingPolicy, VectorEmbeddingPolicy::toJson);
        put(json, "fullTextPolicy", fullTextPolicy, FullTextPolicy::toJson);
        put(json, "changeFeedPolicy", changeFeedPolicy, ChangeFeedPolicy::toJson);
        put(json, "clientEncryptionPolicy", clientEncryptionPolicy, ClientEncryptionPolicy::toJson);
        put(json, "analyticalStorageTtl", analyticalTtlSeconds, seconds -> new Num(seconds));
        put(json, ViewDefinition.OLD_NAME, view, ViewDefinition::toJson);
        put(json, ViewDefinition.NEW_NAME, view, ViewDefinition::toJson);
        return json.putAll(others).build();
    }

    private Arr computedPropertiesJson() {
        return new Arr(computedProperties.stream()
                .<JsonValue>map(ComputedProperty::toJson)
                .toList());
    }

    private static <T> void put(Obj.Builder json, String member, Optional<T> value, Function<T, JsonValue> toJson) {
        value.ifPresent(present -> json.put(member, toJson.apply(present)));
    }

    @Override
    public List<String> childSegments() {
        return CHILDREN;
    }
}
