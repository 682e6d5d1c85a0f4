package dev.orrery.sql.function;

import dev.orrery.model.definition.ComputedProperty;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.FullTextPolicy;
import dev.orrery.model.definition.FullTextPolicy.Language;
import dev.orrery.model.definition.GeospatialConfig;
import dev.orrery.model.definition.VectorEmbeddingPolicy;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;

/** What the meaning of a query depends on besides its text: some of the settings of the container that it is about. */
public record ContainerTraits(
        GeospatialConfig.Type geospatial,
        VectorEmbeddingPolicy vectors,
        FullTextPolicy texts,
        List<ComputedProperty> computedProperties) {

    private static final VectorEmbeddingPolicy NO_VECTORS = new VectorEmbeddingPolicy(List.of(), Obj.EMPTY);
    private static final FullTextPolicy NO_TEXTS = new FullTextPolicy(Language.ENGLISH, List.of(), Obj.EMPTY);

    /** Those of a container that says nothing about them. */
    public static final ContainerTraits DEFAULT =
            new ContainerTraits(GeospatialConfig.DEFAULT.type(), NO_VECTORS, NO_TEXTS, List.of());

    public ContainerTraits {
        computedProperties = List.copyOf(computedProperties);
    }

    public static ContainerTraits of(ContainerDefinition definition) {
        return new ContainerTraits(
                definition.geospatialConfig().type(),
                definition.vectorEmbeddingPolicy().orElse(NO_VECTORS),
                definition.fullTextPolicy().orElse(NO_TEXTS),
                definition.computedProperties());
    }
}
