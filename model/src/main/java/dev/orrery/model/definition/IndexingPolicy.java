package dev.orrery.model.definition;

import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which values of an item are indexed, and how. */
public record IndexingPolicy(
        IndexingMode mode,
        boolean automatic,
        List<IndexedPath> included,
        List<IndexedPath> excluded,
        List<CompositeIndex> composite,
        List<SpatialIndex> spatial,
        List<VectorIndex> vector,
        List<FullTextIndex> fullText,
        Obj others) {

    /** Everything but the entity tag, which no query asks for and every write changes. */
    public static final IndexingPolicy DEFAULT = new IndexingPolicy(
            IndexingMode.CONSISTENT,
            true,
            List.of(IndexedPath.of("/*")),
            List.of(IndexedPath.of("/\"_etag\"/?")),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Obj.EMPTY);

    /** Indexed with every item whatever the paths say. */
    public static final List<List<Step>> ALWAYS_INDEXED =
            List.of(List.of(new Step.Property("id")), List.of(new Step.Property(SystemProperties.TIMESTAMP)));

    public IndexingPolicy {
        included = List.copyOf(included);
        excluded = List.copyOf(excluded);
        composite = List.copyOf(composite);
        spatial = List.copyOf(spatial);
        vector = List.copyOf(vector);
        fullText = List.copyOf(fullText);
    }

    static IndexingPolicy parse(MemberReader json) {
        var mode = IndexingMode.read(json, "indexingMode");
        boolean automatic = json.flag("automatic").orElse(true);
        boolean leavesIncludedOpen = !json.has("includedPaths");
        var included = json.objects("includedPaths", Limits.INDEX_INCLUDED_PATHS_MAX, IndexedPath::included);
        var excluded = json.objects("excludedPaths", Limits.INDEX_EXCLUDED_PATHS_MAX, IndexedPath::excluded);
        var policy = new IndexingPolicy(
                mode,
                automatic,
                included,
                excluded,
                composites(json),
                json.objects("spatialIndexes", Limits.INDEX_SPECIAL_PATHS_MAX, SpatialIndex::parse),
                json.objects("vectorIndexes", Limits.INDEX_SPECIAL_PATHS_MAX, VectorIndex::parse),
                json.objects("fullTextIndexes", Limits.INDEX_SPECIAL_PATHS_MAX, FullTextIndex::parse),
                json.others());
        policy.refuseRepeatedPaths(json);
        return mode == IndexingMode.NONE
                ? policy.withoutPaths(json)
                : policy.withDefaultPaths(json, leavesIncludedOpen);
    }

    private static List<CompositeIndex> composites(MemberReader json) {
        var items = json.array("compositeIndexes", Limits.COMPOSITE_INDEXES_MAX);
        var indexes = new ArrayList<CompositeIndex>(items.size());
        for (int i = 0; i < items.size(); i++) {
            indexes.add(CompositeIndex.parse(json.place("compositeIndexes[" + i + "]"), items.get(i)));
        }
        return indexes;
    }

    private void refuseRepeatedPaths(MemberReader json) {
        refuseRepeated(json, "includedPaths", included, IndexedPath::path);
        refuseRepeated(json, "excludedPaths", excluded, IndexedPath::path);
        refuseRepeated(json, "spatialIndexes", spatial, SpatialIndex::path);
        VectorEmbeddingPolicy.refuseRepeated(
                json, "vectorIndexes", "Vector Indexing Policy", vector.stream().map(VectorIndex::path));
        refuseRepeated(json, "fullTextIndexes", fullText, FullTextIndex::path);
        var includedPaths = included.stream().map(IndexedPath::path).collect(Collectors.toSet());
        for (var path : excluded) {
            if (includedPaths.contains(path.path())) {
                throw json.refusal(
                        "excludedPaths",
                        "contains '" + path.path() + "', which is among the includedPaths too; a path must be "
                                + "in one of both.");
            }
        }
    }

    private static <T> void refuseRepeated(MemberReader json, String member, List<T> parts, Function<T, ?> path) {
        var seen = new HashSet<Object>();
        for (var part : parts) {
            var found = path.apply(part);
            if (!seen.add(found)) {
                throw json.refusal(member, "contains '" + found + "' twice.");
            }
        }
    }

    /** Without an index there is nothing to say about paths, and nothing that could be maintained automatically. */
    private IndexingPolicy withoutPaths(MemberReader json) {
        refuseWithoutIndex(json, "compositeIndexes", composite);
        refuseWithoutIndex(json, "spatialIndexes", spatial);
        refuseWithoutIndex(json, "vectorIndexes", vector);
        refuseWithoutIndex(json, "fullTextIndexes", fullText);
        return withPaths(false, List.of(), List.of());
    }

    private static void refuseWithoutIndex(MemberReader json, String member, Collection<?> indexes) {
        if (!indexes.isEmpty()) {
            throw json.refusal(member, "must be empty when the indexingMode is none.");
        }
    }

    private IndexingPolicy withDefaultPaths(MemberReader json, boolean leavesIncludedOpen) {
        var completed = new ArrayList<>(included);
        boolean hasRoot = Stream.concat(included.stream(), excluded.stream())
                .anyMatch(path -> path.path().isRoot());
        if (!hasRoot) {
            if (!leavesIncludedOpen && !(included.isEmpty() && excluded.isEmpty())) {
                throw missingRoot(json);
            }
            completed.addFirst(IndexedPath.of("/*"));
        }
        var completedExcluded = new ArrayList<>(excluded);
        boolean speaksOfEtag = Stream.concat(included.stream(), excluded.stream())
                .anyMatch(path -> path.path().startsWith(SystemProperties.ETAG));
        if (!speaksOfEtag) {
            completedExcluded.addAll(DEFAULT.excluded);
        }
        return withPaths(automatic, completed, completedExcluded);
    }

    private static FailureException missingRoot(MemberReader json) {
        return MemberReader.refusalAt(
                json.place(), "must have the path /* either in includedPaths or in excludedPaths.");
    }

    private IndexingPolicy withPaths(
            boolean nowAutomatic, List<IndexedPath> nowIncluded, List<IndexedPath> nowExcluded) {
        return new IndexingPolicy(
                mode, nowAutomatic, nowIncluded, nowExcluded, composite, spatial, vector, fullText, others);
    }

    /**
     * True if a number, string, boolean or null at that place is in the index of single values: the most precise path
     * that covers it decides.
     */
    public boolean isIndexed(List<Step> place) {
        return mode != IndexingMode.NONE && (ALWAYS_INDEXED.contains(place) || isIncluded(place, path -> true));
    }

    public boolean isIndexed(JsonPath path) {
        return isIndexed(IndexPath.place(path));
    }

    /** As {@link #isIndexed(List)}, for values that {@code /*} does not reach because they are no part of the item. */
    boolean isIndexedByName(List<Step> place) {
        return mode != IndexingMode.NONE && isIncluded(place, path -> !path.isRoot());
    }

    private boolean isIncluded(List<Step> place, Predicate<IndexPath> counts) {
        var including = mostPrecise(included, place, counts);
        var excluding = mostPrecise(excluded, place, counts);
        return including.isPresent() && (excluding.isEmpty() || including.get().comparePrecision(excluding.get()) > 0);
    }

    private static Optional<IndexPath> mostPrecise(
            List<IndexedPath> paths, List<Step> place, Predicate<IndexPath> counts) {
        return paths.stream()
                .map(IndexedPath::path)
                .filter(counts)
                .filter(path -> path.covers(place))
                .max(IndexPath::comparePrecision);
    }

    Obj toJson() {
        var json = Obj.builder()
                .put("indexingMode", mode.spelling())
                .put("automatic", automatic)
                .put("includedPaths", array(included, IndexedPath::toJson))
                .put("excludedPaths", array(excluded, IndexedPath::toJson));
        putUnlessEmpty(json, "compositeIndexes", array(composite, CompositeIndex::toJson));
        putUnlessEmpty(json, "spatialIndexes", array(spatial, SpatialIndex::toJson));
        putUnlessEmpty(json, "vectorIndexes", array(vector, VectorIndex::toJson));
        putUnlessEmpty(json, "fullTextIndexes", array(fullText, FullTextIndex::toJson));
        return json.putAll(others).build();
    }

    private static <T> Arr array(List<T> parts, Function<T, JsonValue> toJson) {
        return new Arr(parts.stream().map(toJson).toList());
    }

    private static void putUnlessEmpty(Obj.Builder json, String member, Arr array) {
        if (!array.items().isEmpty()) {
            json.put(member, array);
        }
    }
}
