package dev.orrery.engine.index;

import dev.orrery.engine.catalog.Container;
import dev.orrery.model.definition.CompositeIndex;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.definition.IndexedPath;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The indexes of a container that are complete: those that its present policy has, and that no rebuilding concerns. */
public final class UsableIndexes {
    private final List<ContainerDefinition> definitions;

    private UsableIndexes(List<ContainerDefinition> definitions) {
        this.definitions = definitions;
    }

    public static UsableIndexes of(Container container) {
        return new UsableIndexes(Stream.concat(Stream.of(container.definition()), container.superseded().stream())
                .toList());
    }

    /** Whether every number, string, boolean and null at a place has an entry. */
    public boolean has(List<Step> place) {
        return !(place.getFirst() instanceof Step.Property(var name) && ItemIndex.LEFT_OUT.contains(name))
                && inAll(definition -> definition.isIndexed(place) && isComputedAlike(definition, place));
    }

    /** Whether the policy has it, complete or not. */
    public boolean isAskedFor(List<Step> place) {
        return definitions.getFirst().isIndexed(place);
    }

    /** Whether what is at a place is the same by a definition as by the present one. */
    private boolean isComputedAlike(ContainerDefinition definition, List<Step> place) {
        return definition.computed(place).equals(definitions.getFirst().computed(place));
    }

    /** The composite indexes that can be used. */
    public List<CompositeIndex> composites() {
        return definitions.getFirst().indexingPolicy().composite().stream()
                .filter(index -> inAll(definition -> definition.indexingPolicy().composite().stream()
                                .anyMatch(other -> ItemIndex.number(other) == ItemIndex.number(index))
                        && index.parts().stream()
                                .allMatch(part ->
                                        isComputedAlike(definition, part.path().steps()))))
                .toList();
    }

    /** The fields of a tuple index of the elements of an array that are all among some. */
    public Optional<List<List<Step>>> tuple(List<Step> array, Set<List<Step>> fields) {
        return tuples(definitions.getFirst())
                .filter(path -> path.steps().subList(0, path.steps().size() - 2).equals(array))
                .map(path -> ((Step.Tuple) path.steps().getLast()).fields())
                .filter(fields::containsAll)
                .filter(some -> inAll(definition -> tuples(definition)
                        .anyMatch(path ->
                                ((Step.Tuple) path.steps().getLast()).fields().equals(some)
                                        && path.steps()
                                                .subList(0, path.steps().size() - 2)
                                                .equals(array))))
                .findFirst();
    }

    private static Stream<IndexPath> tuples(ContainerDefinition definition) {
        return definition.indexingPolicy().included().stream()
                .map(IndexedPath::path)
                .filter(IndexPath::isTuple);
    }

    /** The index of the shapes at a place. */
    Optional<ShapeIndex> shapes(List<Step> place) {
        return common(ShapeIndex::of, index -> index.covers(place));
    }

    public boolean hasShapes(List<Step> place) {
        return shapes(place).isPresent();
    }

    /** Whether the policy has an index of the shapes at a place, complete or not. */
    public boolean isAskedForShapes(List<Step> place) {
        return ShapeIndex.of(definitions.getFirst()).stream().anyMatch(index -> index.covers(place));
    }

    /** The index of the words of the texts at a place. */
    Optional<TextIndex> texts(List<Step> place) {
        return common(TextIndex::of, index -> index.covers(place));
    }

    public boolean hasTexts(List<Step> place) {
        return texts(place).isPresent();
    }

    /** Whether the policy has an index of the words of the texts at a place, complete or not. */
    public boolean isAskedForTexts(List<Step> place) {
        return TextIndex.of(definitions.getFirst()).stream().anyMatch(index -> index.covers(place));
    }

    /** The index of the vectors at a place. */
    public Optional<VectorColumn> vectors(List<Step> place) {
        return common(VectorColumn::of, index -> index.covers(place));
    }

    /** Whether the policy has an index of the vectors at a place, complete or not. */
    public boolean isAskedForVectors(List<Step> place) {
        return VectorColumn.of(definitions.getFirst()).stream().anyMatch(index -> index.covers(place));
    }

    /** The first that serves of those that all definitions have. */
    private <T> Optional<T> common(Function<ContainerDefinition, List<T>> indexes, Predicate<T> serves) {
        return indexes.apply(definitions.getFirst()).stream()
                .filter(serves)
                .filter(index -> inAll(definition -> indexes.apply(definition).contains(index)))
                .findFirst();
    }

    private boolean inAll(Predicate<ContainerDefinition> predicate) {
        return definitions.stream().allMatch(predicate);
    }
}
