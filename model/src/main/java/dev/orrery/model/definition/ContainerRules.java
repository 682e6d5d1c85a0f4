package dev.orrery.model.definition;

import java.util.HashSet;

/** The rules that bind several parts of a container's definition together. */
final class ContainerRules {
    private ContainerRules() {}

    static void check(ContainerDefinition container) {
        checkTimeToLive(container);
        checkSpatialIndexes(container);
        checkVectorIndexes(container);
        checkFullTextIndexes(container);
        checkComputedProperties(container);
    }

    private static void checkTimeToLive(ContainerDefinition container) {
        boolean expires = container.defaultTtlSeconds().isPresent();
        if (expires && container.indexingPolicy().mode() == IndexingMode.NONE) {
            throw MemberReader.refusalAt(
                    "defaultTtl", "needs an index; set the indexingMode to consistent, with /* excluded if need be.");
        }
        if (!expires && container.ttlPropertyPath().isPresent()) {
            throw MemberReader.refusalAt("ttlPropertyPath", "is only allowed together with defaultTtl.");
        }
    }

    private static void checkSpatialIndexes(ContainerDefinition container) {
        boolean flat = container.geospatialConfig().type() == GeospatialConfig.Type.GEOMETRY;
        for (var index : container.indexingPolicy().spatial()) {
            if (flat && index.boundingBox().isEmpty()) {
                throw MemberReader.refusalAt(
                        "indexingPolicy.spatialIndexes",
                        "must have a boundingBox for '" + index.path().text() + "', because the geospatialConfig is "
                                + "Geometry.");
            }
            if (!flat && index.boundingBox().isPresent()) {
                throw MemberReader.refusalAt(
                        "indexingPolicy.spatialIndexes",
                        "must not have a boundingBox for '" + index.path().text()
                                + "', because the geospatialConfig is " + "Geography.");
            }
        }
    }

    private static void checkVectorIndexes(ContainerDefinition container) {
        for (var index : container.indexingPolicy().vector()) {
            var embedding = container
                    .vectorEmbeddingPolicy()
                    .flatMap(policy -> policy.find(index.path()))
                    .orElseThrow(() -> MemberReader.refusalAt(
                            "indexingPolicy.vectorIndexes",
                            "names a path that is not among those of the vectorEmbeddingPolicy: "
                                    + index.path().text() + " not matching in Embedding's path."));
            if (embedding.dimensions() > index.type().dimensionsMax()) {
                throw MemberReader.refusalAt(
                        "indexingPolicy.vectorIndexes",
                        "cannot be of type " + index.type().spelling() + " for '"
                                + index.path().text() + "': the vectors have " + embedding.dimensions()
                                + " dimensions, and that type takes "
                                + index.type().dimensionsMax() + " at most.");
            }
        }
    }

    private static void checkFullTextIndexes(ContainerDefinition container) {
        for (var index : container.indexingPolicy().fullText()) {
            if (container
                    .fullTextPolicy()
                    .flatMap(policy -> policy.find(index.path()))
                    .isEmpty()) {
                throw MemberReader.refusalAt(
                        "indexingPolicy.fullTextIndexes",
                        "names the path '" + index.path().text()
                                + "', which is not among the paths of the fullTextPolicy.");
            }
        }
    }

    private static void checkComputedProperties(ContainerDefinition container) {
        var names = new HashSet<String>();
        for (var property : container.computedProperties()) {
            if (!names.add(property.name())) {
                throw MemberReader.refusalAt("computedProperties", "defines the name '" + property.name() + "' twice.");
            }
            boolean spatial = container.indexingPolicy().spatial().stream()
                    .anyMatch(index -> index.path().startsWith(property.name()));
            if (spatial) {
                throw MemberReader.refusalAt(
                        "computedProperties",
                        "contains '" + property.name() + "', which has a spatial index; that is not possible.");
            }
        }
    }
}
